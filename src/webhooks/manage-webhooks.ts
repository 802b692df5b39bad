import { randomBytes } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { AuditAction } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Connection } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { EventType } from '../events/event-types.ts';
import {
  deleteWebhook,
  failWaiting,
  insertWebhook,
  listWebhooksOf,
  lockWebhook,
  setWaiting,
  updateSecret,
  updateWebhook,
  type WebhookName,
  type WebhookRow,
} from './queries.ts';
import { problemOfUrl } from './receiver-address.ts';
import { newSecret } from './signature.ts';
import { formatTypes, ownerOf, typesFor } from './webhook.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Per owner. */
const MAX_WEBHOOKS = 20;
const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

export interface WebhookFields {
  url: string;
  description: string;
  /** Empty for all. */
  types: readonly EventType[];
}

/** Who changes a webhook, and what the change needs. */
export interface WebhookChange {
  who: string;
  /** Where only the operator's webhooks may be. */
  privateNetworks: BlockList;
  secrets: WebhookSecrets;
  now: number;
}

export interface NewWebhook extends WebhookRow {
  /** Shown to the owner once. */
  plainSecret: string;
}

/**
 * Runs in a transaction that has locked the owner: a merchant, its test side, or the operator.
 * @throws {DomainError} `invalid_parameters`, `too_many_webhooks`
 * @throws {KeyFileUnusable} as `WebhookSecrets.ensureKeys`
 */
export async function createWebhook(
  connection: Connection,
  merchantId: number,
  fields: WebhookFields,
  change: WebhookChange,
): Promise<NewWebhook> {
  check(merchantId, fields, change);
  if ((await connection.all(listWebhooksOf, { merchantId })).length >= MAX_WEBHOOKS)
    throw errors.too_many_webhooks(MAX_WEBHOOKS);
  const id = `we_${randomBytes(9).toString('hex')}`;
  const secret = newSecret();
  await change.secrets.ensureKeys(connection);
  const row: WebhookRow = {
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
  await connection.run(insertWebhook, row);
  await record(connection, row, 'webhook.created', change);
  return { ...row, plainSecret: secret };
}

/**
 * Changes the sent fields inside a transaction. Disabling a webhook fails its waiting deliveries, and
 * enabling it does not send them again; a replay does. Undefined if the owner has no such webhook.
 * @throws {DomainError} `invalid_parameters`
 */
export async function changeWebhook(
  connection: Connection,
  name: WebhookName,
  { enabled, ...fields }: Partial<WebhookFields> & { enabled?: boolean },
  change: WebhookChange,
): Promise<WebhookRow | undefined> {
  const before = await connection.first(lockWebhook, name);
  if (before === undefined) return undefined;
  const { url = before.url, description = before.description } = fields;
  check(name.merchantId, { url, types: fields.types ?? [] }, change);
  const isDisabled = enabled === undefined ? before.disabled_at !== null : !enabled;
  const after: WebhookRow = {
    ...before,
    url,
    description,
    types: fields.types === undefined ? before.types : formatTypes(fields.types),
    disabled_at: isDisabled ? (before.disabled_at ?? change.now) : null,
    disabled_reason: isDisabled ? (before.disabled_reason ?? 'owner') : null,
    failing_since: enabled === true || url !== before.url ? null : before.failing_since,
    waits_until: enabled === true ? null : before.waits_until,
  };
  await connection.run(updateWebhook, {
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
  if (isDisabled && before.disabled_at === null) await connection.run(failWaiting, { webhookId: name.id });
  await record(connection, after, 'webhook.changed', change);
  return after;
}

/**
 * Resolves to the new secret, to be shown once. The former one also signs for 24 hours. Undefined if the
 * owner has no such webhook.
 * @throws {KeyFileUnusable} as `WebhookSecrets.ensureKeys`
 */
export async function rotateSecret(
  connection: Connection,
  name: WebhookName,
  change: WebhookChange,
): Promise<string | undefined> {
  const row = await connection.first(lockWebhook, name);
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

/** Its deliveries are deleted with their events. Resolves to whether the owner had it. */
export async function removeWebhook(
  connection: Connection,
  name: WebhookName,
  change: WebhookChange,
): Promise<boolean> {
  const row = await connection.first(lockWebhook, name);
  if (row === undefined) return false;
  await connection.run(deleteWebhook, name);
  await record(connection, row, 'webhook.deleted', change);
  return true;
}

function check(
  merchantId: number,
  { url, types }: Pick<WebhookFields, 'url' | 'types'>,
  { privateNetworks }: WebhookChange,
): void {
  const owner = ownerOf({ merchant_id: merchantId });
  const problem = problemOfUrl(url, owner, privateNetworks);
  if (problem !== undefined) throw invalid('url', problem);
  const possible = typesFor(owner);
  if (types.some((type) => !possible.includes(type)))
    throw invalid('types', `some of ${possible.join(', ')}`);
}

function invalid(field: 'url' | 'types', expected: string): DomainError {
  return errors.invalid_parameters([{ field, reason: `expected ${expected}` }]);
}

async function record(
  connection: Connection,
  { merchant_id, id, url }: WebhookRow,
  action: AuditAction,
  { who, now }: WebhookChange,
): Promise<void> {
  // A URL can contain a secret in its path or query.
  const subject = `${id} ${new URL(url).host}`;
  const context = { connection, merchantId: liveSideOf(merchant_id), who, now };
  await recordAudit(context, { action, subject });
}
