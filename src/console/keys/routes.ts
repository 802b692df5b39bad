import type { FastifyInstance } from 'fastify';
import { addKey, KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import { formatKeyId, type KeyNumbers, parseKeyId } from '../../api-keys/key-id.ts';
import { limitActiveKeys } from '../../api-keys/limit-keys.ts';
import { type KeySummary, listKeyPage, summarizeKey } from '../../api-keys/list-keys.ts';
import { revokeTokens } from '../../api-keys/revoke-key.ts';
import { rotateKey } from '../../api-keys/rotate-key.ts';
import { parseScopes, type Scope, scopes } from '../../api-keys/scopes.ts';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import { takeFromBudget } from '../../budgets/daily-budget.ts';
import type { Config } from '../../config.ts';
import type { Connection, Database, TransactionOptions } from '../../database/database.ts';
import { liveSideOf, testSideOf } from '../../database/sides.ts';
import type { DomainError } from '../../errors/domain-error.ts';
import { int32, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import { addTestKey } from '../../merchants/open-test-side.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { KeyList, NewToken } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors } from '../errors.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import { futureTime } from './future-time.ts';

const DEFAULT_LIMIT = 50;
const MAX_ID_LENGTH = 40;

/** The scopes of a new key, separated by commas. */
const scopeList: ParameterType<Scope[]> = {
  expected: `one or more of ${scopes.join(', ')}, separated by commas`,
  schema: { type: 'string' },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? parseScopes(text, scopes) : undefined),
};

/** Each change is recorded in the audit log, in its transaction. */
export function consoleKeyRoutes(
  app: FastifyInstance,
  { database, config: { budgets }, now }: { database: Database; config: Config; now: () => number },
): void {
  const record = (
    connection: Connection,
    { merchant, user }: ConsoleCaller,
    action: 'key.created' | 'key.rotated' | 'key.revoked',
    { id, name }: { id: string; name: string },
  ): Promise<void> => {
    const subject = `${id} ${name}`;
    const context = { connection, merchantId: merchant.id, who: describeUser(user), now: now() };
    return recordAudit(context, { action, subject });
  };
  const takeKeyChange = (connection: Connection, merchantId: number): Promise<void> =>
    takeFromBudget({ connection, merchantId, now: now() }, budgets, { budget: 'key_changes_per_day' });
  const requireKey = async (connection: Connection, numbers: KeyNumbers): Promise<KeySummary> => {
    const key = await summarizeKey({ database: connection, now }, numbers);
    if (key === undefined) throw new Error(`no key ${formatKeyId(numbers)}`);
    return key;
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/keys',
    parameters: { before: { type: text(MAX_ID_LENGTH) }, limit: { type: int32(1, 200) } },
    statuses: [200, 404],
    handle: async ({ caller, input: { before, limit = DEFAULT_LIMIT } }) => {
      const from = before === undefined ? undefined : ownKey(caller, before);
      const page = { before: from, limit };
      return RenderedJson.of<KeyList>(await listKeyPage({ database, now }, caller.merchant.id, page));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/keys',
    role: 'owner',
    parameters: {
      name: { type: text(KEY_NAME_LENGTH), required: true },
      mode: { type: oneOf(['live', 'test']) },
      scopes: { type: scopeList },
      expires_at: { type: futureTime(now) },
    },
    statuses: [200, 409],
    handle: async ({ caller, input: { name, mode = 'live', scopes, expires_at: expiresAt = null } }) => {
      const merchantId = caller.merchant.id;
      const [add, side] = mode === 'test' ? [addTestKey, testSideOf(merchantId)] : [addKey, merchantId];
      const { id, token } = await database.transaction(async (connection) => {
        await takeKeyChange(connection, merchantId);
        const granted = scopes && { scopes };
        const key = await add(connection, { merchantId, name, expiresAt, ...granted }, now());
        await limitActiveKeys(connection, budgets, side, now());
        await record(connection, caller, 'key.created', { id: key.id, name });
        return key;
      }, inOne(side));
      return RenderedJson.of<NewToken>({ id, access_token: token });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/keys/{id}/rotate',
    role: 'owner',
    parameters: { old_token_until: { type: futureTime(now) } },
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id }, input: { old_token_until: oldTokenUntil = null } }) => {
      const key = ownKey(caller, id);
      const token = await database.transaction(async (connection) => {
        await takeKeyChange(connection, caller.merchant.id);
        const rotated = await rotateKey(connection, { ...key, oldTokenUntil }, now());
        if (rotated === undefined) throw noKey(id);
        await record(connection, caller, 'key.rotated', await requireKey(connection, key));
        return rotated.token;
      }, inOne(key.merchantId));
      return RenderedJson.of<NewToken>({ id, access_token: token });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/keys/{id}/revoke',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      const key = ownKey(caller, id);
      const revoked = await database.transaction(async (connection) => {
        if (!(await revokeTokens(connection, key, now()))) throw noKey(id);
        const summary = await requireKey(connection, key);
        await record(connection, caller, 'key.revoked', summary);
        return summary;
      }, inOne(key.merchantId));
      return RenderedJson.of<KeySummary>(revoked);
    },
  });
}

/** @throws {DomainError} 404 unless the key belongs to the session's merchant, live or test */
function ownKey({ merchant }: ConsoleCaller, id: string): KeyNumbers {
  const key = parseKeyId(id);
  if (key === undefined || liveSideOf(key.merchantId) !== merchant.id) throw noKey(id);
  return key;
}

/** A change of a test key is recorded on the live side, which another node can have. */
function inOne(side: number): TransactionOptions {
  return side === liveSideOf(side) ? { merchantId: side } : { everyNode: true };
}

function noKey(id: string): DomainError {
  return consoleErrors.missing(`There is no key ${id}.`);
}
