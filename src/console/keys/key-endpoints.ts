import type { FastifyInstance } from 'fastify';
import { KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import { nodesOf, requireOwnKey } from '../../api-keys/key-id.ts';
import type { KeyNeeds } from '../../api-keys/limit-keys.ts';
import { type KeySummary, listExpiringKeysOf, listKeyPage } from '../../api-keys/list-keys.ts';
import { recordFields } from '../../api-keys/record-fields.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { rotateKey } from '../../api-keys/rotate-key.ts';
import { parseScopes, type Scope, scopes } from '../../api-keys/scopes.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { liveSideOf, modeOf } from '../../database/sides.ts';
import { runVerb, type Verb } from '../../database/write-context.ts';
import { boolean, int32, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import { createMerchantKey } from '../../merchants/create-merchant-key.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { KeyList, NewToken } from '../console-api.ts';
import { consoleErrors } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import { futureTime } from './future-time.ts';

const DEFAULT_LIMIT = 50;
const MAX_ID_LENGTH = 40;

/** The scopes of a new key, separated by commas. */
const scopeList: ParameterType<Scope[]> = {
  expected: `one or more of ${scopes.join(', ')}, separated by commas`,
  schema: { type: 'string' },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? parseScopes(text, scopes) : undefined),
};

export function consoleKeyEndpoints(
  app: FastifyInstance,
  services: { database: Database; config: Config; now: () => number },
): void {
  const {
    now,
    config: { budgets },
  } = services;
  const change = <Input extends { id: string }, Result>(
    { merchantId, who }: ConsoleCaller,
    verb: Verb<Input, Result, KeyNeeds>,
    input: Input,
  ): Promise<Result> => {
    requireOwnKey(merchantId, input.id);
    // Both sides share the budgets of keys.
    const owner = { merchantId: liveSideOf(merchantId), who, budgets };
    return runVerb(services, owner, verb, input, nodesOf(input.id));
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/keys',
    parameters: {
      before: { type: text(MAX_ID_LENGTH) },
      limit: { type: int32(1, 200) },
      expiring: { type: boolean },
    },
    statuses: [200, 404],
    handle: async ({
      caller: { merchantId },
      input: { before, limit = DEFAULT_LIMIT, expiring = false },
    }) => {
      if (expiring)
        return RenderedJson.of<KeyList>({ keys: await listExpiringKeysOf(services, merchantId), next: null });
      const from = before === undefined ? undefined : requireOwnKey(merchantId, before);
      return RenderedJson.of<KeyList>(await listKeyPage(services, merchantId, { before: from, limit }));
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
      fields: { type: oneOf(recordFields) },
    },
    statuses: [200, 409],
    handle: async ({
      caller: { merchantId, who },
      input: { name, mode = modeOf(merchantId), scopes, expires_at: expiresAt = null, fields },
    }) => {
      if (modeOf(merchantId) === 'test' && mode === 'live') throw consoleErrors.only_in_live_data();
      const owner = { merchantId: liveSideOf(merchantId), who, budgets };
      const key = { name, mode, scopes, expiresAt, fields };
      const nodes = { everyNode: mode === 'test' };
      const { id, token } = await runVerb(services, owner, createMerchantKey, key, nodes);
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
      const { token } = await change(caller, rotateKey, { id, oldTokenUntil });
      return RenderedJson.of<NewToken>({ id, access_token: token });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/keys/{id}/revoke',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<KeySummary>(await change(caller, revokeKey, { id })),
  });
}
