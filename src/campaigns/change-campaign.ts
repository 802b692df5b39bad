import type { AuditAction } from '../audit/audit-entry.ts';
import { type NewAuditEntry, recordAudit, SERVICE } from '../audit/record-audit.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { TransactionContext, WriteContext } from '../database/write-context.ts';
import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvent } from '../events/record-event.ts';
import { idempotent, type WriteResult } from '../requests/run-once.ts';
import { normalizeTime } from '../shared/timestamps.ts';
import {
  amountNames,
  type Campaign,
  type CampaignRow,
  type CampaignState,
  type CampaignStatus,
} from './campaign.ts';
import { type CampaignNeeds, requireLeft } from './campaign-budget.ts';
import { recordCampaignChange } from './campaign-history.ts';
import type { UpdateInput } from './campaign-parameters.ts';
import { campaignOf } from './campaign-record.ts';
import { isSpent } from './campaign-spend.ts';
import { changeSchedule } from './hourly-schedule.ts';
import { type CampaignName, idOfCampaign } from './id-of-campaign.ts';
import { type MoveNeeds, moveProducts } from './move-products.ts';
import { countStatusChange, findCampaign, lockCampaign, updateCampaignRow } from './queries.ts';
import { settingOf } from './setting-of.ts';

type CampaignAction = 'pause' | 'resume' | 'end';

const statusAfter: Record<CampaignAction, CampaignStatus> = {
  pause: 'Paused',
  resume: 'Active',
  end: 'Expired',
};

const statusEvents = {
  Active: 'campaign.resumed',
  Paused: 'campaign.paused',
  Expired: 'campaign.ended',
  'Lifetime Budget Exhausted': 'campaign.exhausted',
} as const satisfies Record<CampaignStatus, EventType>;

const statusActions = {
  Active: 'campaign.resumed',
  Paused: 'campaign.paused',
  Expired: 'campaign.ended',
  'Lifetime Budget Exhausted': 'campaign.changed',
} as const satisfies Record<CampaignStatus, AuditAction>;

const changeable = ['name', 'status', ...amountNames, 'hourly_schedule'] as const;

type Context = WriteContext & CampaignNeeds & { isOperator?: boolean };

/** `moved` products moved to the new name: see `moveProducts`. */
interface ChangedCampaign {
  campaign: Campaign;
  moved: number | null;
  isChange: boolean;
}

/** With the name of the campaign: see `idOfCampaign`. */
type StatusInput = CampaignName & { action: CampaignAction };

/**
 * Changes the sent fields. Read-only fields may have their current value. With a new name, its products move:
 * see `moveProducts`.
 * @throws {DomainError} as `idOfCampaign` and `moveProducts`; `campaign_not_found`; `invalid_parameters` for
 *   a read-only field with another value, and for any change of an expired campaign
 * @throws {BudgetExceeded} if the merchant has used up today's budget
 */
export async function updateCampaign(
  context: Context & MoveNeeds,
  input: UpdateInput,
): Promise<ChangedCampaign> {
  const { connection, merchantId } = context;
  const newName = input.internal_id === undefined ? undefined : input.name;
  // Before the campaign, as in other transactions, so that they do not deadlock.
  if (newName !== undefined) await connection.run(lockMerchant, { merchantId });
  const id = await idOfCampaign(context, input);
  const moved = newName === undefined ? 0 : await moveBefore(context, id, input);
  const before = await readLocked(context, id);
  return { ...(await changeCampaign(context, before, afterUpdate(context, before, input))), moved };
}

/**
 * Moves the products of a campaign that is going to be renamed. Placements wait for the lock of the campaign,
 * so it is locked afterwards: its name cannot change meanwhile, because the merchant is locked.
 */
async function moveBefore(
  context: Context & MoveNeeds,
  id: string,
  input: UpdateInput,
): Promise<number | null> {
  const before = await context.connection.first(findCampaign, { merchantId: context.merchantId, id });
  if (before === undefined) throw errors.campaign_not_found(id);
  const { name } = afterUpdate(context, before, input);
  if (name === before.name) return 0;
  requireChangeable(context, before);
  return await moveProducts(context, { id, formerName: before.name, name });
}

/** @throws {DomainError} `invalid_parameters` for a read-only field with another value */
function afterUpdate({ now }: Context, before: CampaignState, input: UpdateInput): CampaignState {
  const problems = readOnlyProblems(campaignOf(before, now), input);
  if (problems.length > 0) throw errors.invalid_parameters(problems);
  const after = { ...before };
  if (input.internal_id !== undefined && input.name !== undefined) after.name = input.name;
  for (const name of amountNames) {
    const amount = input[name];
    if (amount !== undefined) after[name] = amount;
  }
  const { hourly_schedule: sent } = input;
  if (sent === null) after.hourly_schedule = null;
  else if (sent !== undefined && Object.keys(sent).length > 0)
    after.hourly_schedule = changeSchedule(before.hourly_schedule, sent);
  const { lifetime_budget: budget } = after;
  const isRaised = before.lifetime_budget !== null && (budget === null || budget > before.lifetime_budget);
  if (before.status === 'Lifetime Budget Exhausted' && isRaised) after.status = 'Active';
  if (amountNames.some((name) => before[name] !== after[name])) after.status = statusOf(after);
  return after;
}

/**
 * Repeating it changes nothing.
 * @throws {DomainError} as `idOfCampaign`; `campaign_not_found`, `invalid_parameters`
 * @throws {BudgetExceeded} if the merchant has used up today's budget
 */
export async function setCampaignStatus(
  context: Context,
  { action, ...named }: StatusInput,
): Promise<ChangedCampaign> {
  const id = await idOfCampaign(context, named);
  const before = await readLocked(context, id);
  if (before.status === 'Lifetime Budget Exhausted' && action !== 'end') throw exhausted(id);
  const after = { ...before, status: statusAfter[action] };
  return await changeCampaign(context, before, { ...after, status: statusOf(after) });
}

/** Returns the status of a campaign after a change: placements may have spent its lifetime budget before. */
function statusOf({ status, lifetime_budget, spend, bid_amount }: CampaignRow): CampaignStatus {
  const isExhausted = status === 'Active' && spend > 0 && isSpent(lifetime_budget, spend, { bid_amount });
  return isExhausted ? 'Lifetime Budget Exhausted' : status;
}

export const updateCampaignOnce = idempotent(async (context: Context & MoveNeeds, input: UpdateInput) =>
  resultOf(await updateCampaign(context, input)),
);

export const setCampaignStatusOnce = idempotent(async (context: Context, input: StatusInput) =>
  resultOf(await setCampaignStatus(context, input)),
);

function resultOf({ campaign, isChange }: ChangedCampaign): WriteResult {
  return { response: JSON.stringify(campaign), isChange };
}

/** Any status may follow any other and itself. @throws {DomainError} `campaign_not_found` */
export async function setStatusAsOperator(
  context: WriteContext,
  { id, status }: { id: string; status: CampaignStatus },
): Promise<Campaign> {
  const before = await readLocked(context, id);
  const operator = { ...context, budget: null, isOperator: true };
  return (await changeCampaign(operator, before, { ...before, status })).campaign;
}

/** Records that placements have spent the lifetime budget of an active campaign. It must be locked. */
export function exhaustCampaign(context: TransactionContext, before: CampaignState): void {
  const after = { ...before, status: 'Lifetime Budget Exhausted' as const, updated_at: context.now };
  storeCampaign(context, after);
  recordChange({ ...context, who: SERVICE }, before, after);
}

/** Locks the campaign, so that its changes never overlap. */
async function readLocked({ connection, merchantId }: WriteContext, id: string): Promise<CampaignState> {
  // Not awaited one by one, so that a database server gets both in one round trip.
  const [, state] = await Promise.all([
    connection.first(lockCampaign, { merchantId, id }),
    connection.first(findCampaign, { merchantId, id }),
  ]);
  if (state === undefined) throw errors.campaign_not_found(id);
  return state;
}

/** Records the event and the audit entry. */
async function changeCampaign(
  context: Context,
  before: CampaignState,
  after: CampaignState,
): Promise<ChangedCampaign> {
  const { now } = context;
  if (isEqual(before, after)) return { campaign: campaignOf(before, now), moved: 0, isChange: false };
  requireChangeable(context, before);
  const row = { ...after, updated_at: now };
  storeCampaign(context, row);
  const setting = before.name === after.name ? undefined : await settingOf(context, after.name);
  const state = { ...row, ...setting };
  recordChange(context, before, state);
  return { campaign: campaignOf(state, now), moved: 0, isChange: true };
}

/** @throws {DomainError} `invalid_parameters` @throws {BudgetExceeded} */
function requireChangeable(context: Context, { id, status }: CampaignState): void {
  if (status === 'Expired' && context.isOperator !== true) {
    const reason = `the campaign ${id} is expired and cannot be changed`;
    throw errors.invalid_parameters([{ field: 'internal_id', reason }]);
  }
  requireLeft(context);
}

function storeCampaign({ connection, merchantId }: TransactionContext, after: CampaignRow): void {
  const { type: _, created_at: __, ...changed } = after;
  connection.send(updateCampaignRow, [{ merchantId, ...changed }]);
}

/** Records the event, the audit entry and the history, and counts a change of the status. */
function recordChange(context: WriteContext, before: CampaignState, after: CampaignState): void {
  const { connection, merchantId, now } = context;
  const type = before.status === after.status ? 'campaign.updated' : statusEvents[after.status];
  const eventId = recordEvent(context, { type, data: campaignOf(after, now) });
  recordCampaignChange(context, { campaignId: after.id, eventId }, before, after);
  recordAudit(context, describeChange(before, after));
  if (before.status === after.status) return;
  const difference = (status: CampaignStatus): number =>
    Number(after.status === status) - Number(before.status === status);
  const counted = {
    paused: difference('Paused'),
    expired: difference('Expired'),
    exhausted: difference('Lifetime Budget Exhausted'),
  };
  connection.send(countStatusChange, [{ merchantId, ...counted }]);
}

/** The subject names the changed fields, unless the action says all. */
function describeChange(before: CampaignRow, after: CampaignRow): NewAuditEntry {
  const action = before.status === after.status ? 'campaign.changed' : statusActions[after.status];
  if (action !== 'campaign.changed') return { action, subject: after.name };
  const changes = changeable
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${after[field] ?? (field === 'hourly_schedule' ? 'always' : 'none')}`);
  return { action, subject: `${before.name}: ${changes.join(', ')}` };
}

function exhausted(id: string): Error {
  const reason = `the lifetime budget of the campaign ${id} is exhausted: raise it, which activates the campaign`;
  return errors.invalid_parameters([{ field: 'internal_id', reason }]);
}

function isEqual(before: CampaignRow, after: CampaignRow): boolean {
  return changeable.every((name) => before[name] === after[name]);
}

function readOnlyProblems(
  current: Campaign,
  { type, status, created_at, updated_at }: UpdateInput,
): Problem[] {
  const problems: Problem[] = [];
  if (type !== undefined && type !== current.type)
    problems.push({ field: 'type', reason: 'read-only: fixed when the campaign was created' });
  if (status !== undefined && status !== current.status)
    problems.push({ field: 'status', reason: 'read-only: pause, resume or end the campaign to change it' });
  for (const [name, time] of Object.entries({ created_at, updated_at })) {
    if (time !== undefined && normalizeTime(time) !== current[name as 'created_at' | 'updated_at'])
      problems.push({ field: name, reason: 'read-only: set by the service' });
  }
  return problems;
}
