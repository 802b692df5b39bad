import { randomBytes } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { AuditAction } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Connection } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import type { EventType } from '../events/event-types.ts';
import { formatTypes, ownerOf, typesFor } from './endpoint.ts';
import type { EndpointSecrets } from './endpoint-secrets.ts';
import {
  deleteEndpoint,
  type EndpointName,
  type EndpointRow,
  failWaiting,
  insertEndpoint,
  listEndpointsOf,
  lockEndpoint,
  setWaiting,
  updateEndpoint,
  updateSecret,
} from './queries.ts';
import { problemOfUrl } from './receiver-address.ts';
import { newSecret } from './signature.ts';

/** The maximum number of endpoints of one owner. */
const MAX_ENDPOINTS = 20;
const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

/** The values of an endpoint that its owner states. */
export interface EndpointFields {
  url: string;
  description: string;
  /** Empty for all. */
  types: readonly EventType[];
}

/** Values that an endpoint cannot have. `expected` continues “expected …”. */
export class InvalidEndpoint extends Error {
  override name = 'InvalidEndpoint';
  readonly field: 'url' | 'types';
  readonly expected: string;

  constructor(field: 'url' | 'types', expected: string) {
    super(`${field}: expected ${expected}.`);
    this.field = field;
    this.expected = expected;
  }
}

/** An owner has as many endpoints as it may have. */
export class TooManyEndpoints extends Error {
  override name = 'TooManyEndpoints';

  constructor() {
    super(`There are ${MAX_ENDPOINTS} endpoints already, which is the maximum. Delete one first.`);
  }
}

/** Who changes an endpoint, and what the change needs. */
export interface EndpointChange {
  /** As in `recordAudit`. */
  who: string;
  /** The networks besides the internet where the operator's endpoints may be. */
  privateNetworks: BlockList;
  secrets: EndpointSecrets;
  /** Milliseconds since 1970. */
  now: number;
}

/** An endpoint that was just created. */
export interface NewEndpoint extends EndpointRow {
  /** Shown to the owner once. */
  plainSecret: string;
}

/**
 * Creates an endpoint of a merchant, its test side or the operator inside a transaction that has locked the
 * owner.
 * @throws {InvalidEndpoint}
 * @throws {TooManyEndpoints}
 * @throws {KeyFileUnusable} as `EndpointSecrets.ensureKeys`
 */
export async function createEndpoint(
  connection: Connection,
  merchantId: number,
  fields: EndpointFields,
  change: EndpointChange,
): Promise<NewEndpoint> {
  check(merchantId, fields, change);
  if ((await connection.all(listEndpointsOf, { merchantId })).length >= MAX_ENDPOINTS)
    throw new TooManyEndpoints();
  const id = `we_${randomBytes(9).toString('hex')}`;
  const secret = newSecret();
  await change.secrets.ensureKeys(connection);
  const row: EndpointRow = {
    id,
    merchant_id: merchantId,
    url: fields.url,
    description: fields.description,
    types: formatTypes(fields.types),
    secret: await change.secrets.encrypt({ merchantId, id }, secret),
    former_secret: null,
    former_secret_until: null,
    created_at: change.now,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    waits_until: null,
    reported_at: null,
  };
  await connection.run(insertEndpoint, row);
  await record(connection, row, 'webhook.created', change);
  return { ...row, plainSecret: secret };
}

/**
 * Changes the stated fields of an endpoint, or enables or disables it, inside a transaction. What waits for an endpoint that
 * is disabled counts as failed. Enabling sends nothing again; that is what a replay is for. Undefined if the owner has no
 * such endpoint.
 * @throws {InvalidEndpoint}
 */
export async function changeEndpoint(
  connection: Connection,
  name: EndpointName,
  { enabled, ...fields }: Partial<EndpointFields> & { enabled?: boolean },
  change: EndpointChange,
): Promise<EndpointRow | undefined> {
  const before = await connection.first(lockEndpoint, name);
  if (before === undefined) return undefined;
  const { url = before.url, description = before.description } = fields;
  check(name.merchantId, { url, types: fields.types ?? [] }, change);
  const isDisabled = enabled === undefined ? before.disabled_at !== null : !enabled;
  const after: EndpointRow = {
    ...before,
    url,
    description,
    types: fields.types === undefined ? before.types : formatTypes(fields.types),
    disabled_at: isDisabled ? (before.disabled_at ?? change.now) : null,
    disabled_reason: isDisabled ? (before.disabled_reason ?? 'owner') : null,
    failing_since: enabled === true || url !== before.url ? null : before.failing_since,
    waits_until: enabled === true ? null : before.waits_until,
  };
  await connection.run(updateEndpoint, {
    ...name,
    url,
    description,
    types: after.types,
    disabledAt: after.disabled_at,
    disabledReason: after.disabled_reason,
    failingSince: after.failing_since,
  });
  // The next attempt looks at the budget again, which the operator may have raised.
  if (after.waits_until !== before.waits_until)
    await connection.run(setWaiting, { id: name.id, until: after.waits_until });
  if (isDisabled && before.disabled_at === null) await connection.run(failWaiting, { endpointId: name.id });
  await record(connection, after, 'webhook.changed', change);
  return after;
}

/**
 * Replaces the secret, and resolves to the new one, which is to be shown to the owner once. The former one
 * also signs for 24 hours. Undefined if the owner has no such endpoint.
 * @throws {KeyFileUnusable} as `EndpointSecrets.ensureKeys`
 */
export async function rotateSecret(
  connection: Connection,
  name: EndpointName,
  change: EndpointChange,
): Promise<string | undefined> {
  const row = await connection.first(lockEndpoint, name);
  if (row === undefined) return undefined;
  const secret = newSecret();
  await change.secrets.ensureKeys(connection);
  await connection.run(updateSecret, {
    ...name,
    secret: await change.secrets.encrypt(name, secret),
    formerUntil: change.now + FORMER_SECRET_MS,
  });
  await record(connection, row, 'webhook.secret_rotated', change);
  return secret;
}

/** Deletes an endpoint. Its deliveries are deleted with their events. Resolves to whether the owner had it. */
export async function removeEndpoint(
  connection: Connection,
  name: EndpointName,
  change: EndpointChange,
): Promise<boolean> {
  const row = await connection.first(lockEndpoint, name);
  if (row === undefined) return false;
  await connection.run(deleteEndpoint, name);
  await record(connection, row, 'webhook.deleted', change);
  return true;
}

function check(
  merchantId: number,
  { url, types }: Pick<EndpointFields, 'url' | 'types'>,
  { privateNetworks }: EndpointChange,
): void {
  const owner = ownerOf({ merchant_id: merchantId });
  const problem = problemOfUrl(url, owner, privateNetworks);
  if (problem !== undefined) throw new InvalidEndpoint('url', problem);
  const possible = typesFor(owner);
  if (types.some((type) => !possible.includes(type)))
    throw new InvalidEndpoint('types', `some of ${possible.join(', ')}`);
}

async function record(
  connection: Connection,
  { merchant_id, id, url }: EndpointRow,
  action: AuditAction,
  { who, now }: EndpointChange,
): Promise<void> {
  // A URL can contain a secret in its path or query.
  const subject = `${id} ${new URL(url).host}`;
  await recordAudit(connection, { merchantId: liveSideOf(merchant_id), who, action, subject }, now);
}
