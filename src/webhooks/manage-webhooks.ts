import { randomBytes } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { AuditAction } from '../audit/audit-entry.ts';
import { isByOperator, recordAudit } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { liveSideOf, OPERATOR_ID } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { EventType } from '../events/event-types.ts';
import { failWaiting } from './delivery-queries.ts';
import { noWebhook } from './find-webhook.ts';
import {
  deleteWebhook,
  insertWebhook,
  listWebhooksOf,
  lockWebhook,
  setWaiting,
  updateSecret,
  updateWebhook,
  type WebhookRow,
} from './queries.ts';
import { problemOfUrl } from './receiver-address.ts';
import { newSecret } from './signature.ts';
import { formatTypes, nameOf, ownerOf, typesFor } from './webhook.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Per owner. */
const MAX_WEBHOOKS = 20;
const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

export interface WebhookFields {
  url: string;
  /** Empty if null or undefined. */
  description?: string | null | undefined;
  /** All if empty, null or undefined. */
  types?: readonly EventType[] | null | undefined;
}

/** Undefined keeps a value, and null clears it. */
export type WebhookChange = { [Name in keyof WebhookFields]?: WebhookFields[Name] | undefined } & {
  enabled?: boolean | undefined;
};

/** What changes of webhooks need in addition to `WriteContext`. */
export interface WebhookNeeds {
  /** Where only the operator's webhooks may be. */
  privateNetworks: BlockList;
  secrets: WebhookSecrets;
  budgets: Budgets;
}

type Context = WriteContext & WebhookNeeds;

export interface NewWebhook extends WebhookRow {
  /** Shown to the owner once. */
  plainSecret: string;
}

/**
 * Creates a webhook of one side of a merchant, or of the operator.
 * @throws {DomainError} `invalid_parameters`, `too_many_webhooks`
 * @throws {BudgetExceeded}
 * @throws {KeyFileUnusable} as `WebhookSecrets.ensureKeys`
 */
export async function createWebhook(
  context: Context,
  { url, description, types }: WebhookFields,
): Promise<NewWebhook> {
  const { connection, merchantId, now, secrets } = context;
  check(context, { url, types });
  await takeChange(context);
  await connection.run(lockMerchant, { merchantId: liveSideOf(merchantId) });
  if ((await connection.all(listWebhooksOf, { merchantId })).length >= MAX_WEBHOOKS)
    throw errors.too_many_webhooks(MAX_WEBHOOKS);
  const id = `we_${randomBytes(9).toString('hex')}`;
  const secret = newSecret();
  await secrets.ensureKeys(connection);
  const row: WebhookRow = {
    id,
    merchant_id: merchantId,
    url,
    description: description ?? '',
    types: formatTypes(types ?? []),
    secret: await secrets.encrypt({ merchantId, id }, secret),
    former_secret: null,
    former_secret_until: null,
    created_at: now,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    waits_until: null,
    reported_at: null,
  };
  await connection.run(insertWebhook, row);
  await record(context, row, 'webhook.created');
  return { ...row, plainSecret: secret };
}

/**
 * Changes the sent fields, within the budget unless it only disables the webhook. Disabling a webhook fails
 * its waiting deliveries, and enabling it does not send them again; a replay does.
 * @throws {DomainError} `webhook_not_found`, `invalid_parameters`
 * @throws {BudgetExceeded}
 */
export async function changeWebhook(
  context: Context,
  { id, enabled, ...change }: { id: string } & WebhookChange,
): Promise<WebhookRow> {
  const { connection, now } = context;
  const isOnlyDisabled = enabled === false && Object.values(change).every((value) => value === undefined);
  if (!isOnlyDisabled) await takeChange(context);
  const before = await lock(context, id);
  const { url = before.url, description = before.description, types } = change;
  check(context, { url, types });
  const isDisabled = enabled === undefined ? before.disabled_at !== null : !enabled;
  const after: WebhookRow = {
    ...before,
    url,
    description: description ?? '',
    types: types === undefined ? before.types : formatTypes(types ?? []),
    disabled_at: isDisabled ? (before.disabled_at ?? now) : null,
    disabled_reason: isDisabled ? (before.disabled_reason ?? disablerOf(context)) : null,
    failing_since: enabled === true || url !== before.url ? null : before.failing_since,
    waits_until: enabled === true ? null : before.waits_until,
  };
  await connection.run(updateWebhook, after);
  // The next attempt looks at the budget again, which the operator may have raised.
  if (after.waits_until !== before.waits_until)
    await connection.run(setWaiting, { id, until: after.waits_until });
  if (isDisabled && before.disabled_at === null) await connection.run(failWaiting, { webhookId: id });
  await record(context, after, 'webhook.changed');
  return after;
}

/**
 * Resolves to the new secret, to be shown once. The former one also signs for 24 hours.
 * @throws {DomainError} `webhook_not_found`
 * @throws {BudgetExceeded}
 * @throws {KeyFileUnusable} as `WebhookSecrets.ensureKeys`
 */
export async function rotateSecret(context: Context, { id }: { id: string }): Promise<string> {
  const { connection, now, secrets } = context;
  await takeChange(context);
  const row = await lock(context, id);
  const name = nameOf(row);
  const secret = newSecret();
  await secrets.ensureKeys(connection);
  await connection.run(updateSecret, {
    ...name,
    secret: await secrets.encrypt(name, secret),
    formerUntil: now + FORMER_SECRET_MS,
  });
  await record(context, row, 'webhook.secret_rotated');
  return secret;
}

/** Its deliveries are deleted with their events. @throws {DomainError} `webhook_not_found` */
export async function removeWebhook(context: WriteContext, { id }: { id: string }): Promise<WebhookRow> {
  const row = await lock(context, id);
  await context.connection.run(deleteWebhook, nameOf(row));
  await record(context, row, 'webhook.deleted');
  return row;
}

async function lock({ connection, merchantId }: WriteContext, id: string): Promise<WebhookRow> {
  return (await connection.first(lockWebhook, { merchantId, id })) ?? noWebhook(id);
}

/** Whether the operator does something to a merchant's webhook. */
function isOnBehalf({ merchantId, who }: Pick<WriteContext, 'merchantId' | 'who'>): boolean {
  return merchantId !== OPERATOR_ID && isByOperator(who);
}

function disablerOf(context: WriteContext): 'owner' | 'operator' {
  return isOnBehalf(context) ? 'operator' : 'owner';
}

/**
 * Takes a replay from the budget as `takeChange`. If the operator replays to a merchant's webhook, it records
 * who.
 * @throws {DomainError} `webhook_not_found`, `webhook_disabled`
 * @throws {BudgetExceeded}
 */
export async function takeReplay(context: Context, { id }: { id: string }): Promise<void> {
  await takeChange(context);
  if (!isOnBehalf(context)) return;
  const row = await lock(context, id);
  if (row.disabled_at !== null) throw errors.webhook_disabled(id);
  await record(context, row, 'webhook.replayed');
}

/** Records that the operator sends an example to a merchant's webhook. */
export async function recordTest(context: WriteContext, row: WebhookRow): Promise<void> {
  if (isOnBehalf(context)) await record(context, row, 'webhook.tested');
}

/**
 * Takes a change or a replay from the budget of a side of a merchant, which can always disable and delete its
 * webhooks. The operator is not limited.
 * @throws {BudgetExceeded}
 */
async function takeChange(context: WriteContext & Pick<WebhookNeeds, 'budgets'>): Promise<void> {
  if (context.merchantId === OPERATOR_ID || isOnBehalf(context)) return;
  await takeFromBudget(context, context.budgets, { budget: 'webhook_changes_per_day' });
}

function check(
  { merchantId, privateNetworks }: Context,
  { url, types }: Pick<WebhookFields, 'url' | 'types'>,
): void {
  const owner = ownerOf({ merchant_id: merchantId });
  const problem = problemOfUrl(url, owner, privateNetworks);
  if (problem !== undefined) throw invalid('url', problem);
  const possible = typesFor(owner);
  if (types?.some((type) => !possible.includes(type)))
    throw invalid('types', `some of ${possible.join(', ')}`);
}

function invalid(field: 'url' | 'types', expected: string): DomainError {
  return errors.invalid_parameters([{ field, reason: `expected ${expected}` }]);
}

async function record(context: WriteContext, { id, url }: WebhookRow, action: AuditAction): Promise<void> {
  // A URL can contain a secret in its path or query.
  const subject = `${id} ${new URL(url).host}`;
  recordAudit({ ...context, merchantId: liveSideOf(context.merchantId) }, { action, subject });
}
