import type { AuditAction } from '../audit/audit-entry.ts';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvent } from '../events/record-event.ts';
import { normalizeTime } from '../shared/timestamps.ts';
import { amountNames, type Campaign, type CampaignRow, type CampaignStatus, campaignOf } from './campaign.ts';
import type { UpdateInput } from './campaign-parameters.ts';
import { idOfCampaign } from './id-of-campaign.ts';
import { type MoveScope, moveProducts } from './move-products.ts';
import { countStatusChange, lockCampaign, updateCampaignRow } from './queries.ts';

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
  'Lifetime Budget Exhausted': 'campaign.updated',
} as const satisfies Record<CampaignStatus, EventType>;

const statusActions = {
  Active: 'campaign.resumed',
  Paused: 'campaign.paused',
  Expired: 'campaign.ended',
  'Lifetime Budget Exhausted': 'campaign.changed',
} as const satisfies Record<CampaignStatus, AuditAction>;

export interface ChangeScope {
  merchantId: number;
  /** As in the audit log: a user, or `key ID`. */
  who: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Called before a change. @throws if it must not be made */
  countOne(): void;
}

/** `moved` products moved to the new name: see `moveProducts`. */
interface UpdatedCampaign {
  campaign: Campaign;
  moved: number | null;
}

/**
 * Changes the sent fields, inside a transaction. Read-only fields may have their current value. With a new
 * name, its products move: see `moveProducts`.
 * @throws {DomainError} as `idOfCampaign` and `moveProducts`; `campaign_not_found`; `invalid_parameters` for
 *   a read-only field with another value, and for any change of an expired campaign
 * @throws {BudgetExceeded} from `countOne`
 */
export async function updateCampaign(
  connection: Connection,
  scope: ChangeScope & MoveScope,
  input: UpdateInput,
): Promise<UpdatedCampaign> {
  const { merchantId } = scope;
  const newName = input.internal_id === undefined ? undefined : input.name;
  // Before the campaign, as in other transactions, so that they do not deadlock.
  if (newName !== undefined) await connection.run(lockMerchant, { merchantId });
  const id = await idOfCampaign(connection, merchantId, input);
  let formerName: string | undefined;
  const campaign = await changeCampaign(connection, scope, id, (before) => {
    formerName = before.name;
    const problems = readOnlyProblems(campaignOf(before), input);
    if (problems.length > 0) throw errors.invalid_parameters(problems);
    const after = { ...before };
    if (newName !== undefined) after.name = newName;
    for (const name of amountNames) {
      const amount = input[name];
      if (amount !== undefined) after[name] = amount;
    }
    return after;
  });
  const { name } = campaign;
  if (formerName === undefined || formerName === name) return { campaign, moved: 0 };
  return { campaign, moved: await moveProducts(connection, scope, { formerName, name }) };
}

/** Repeating it changes nothing. @throws {DomainError} `campaign_not_found`, `invalid_parameters` */
export async function setCampaignStatus(
  connection: Connection,
  scope: ChangeScope,
  { id, action }: { id: string; action: CampaignAction },
): Promise<Campaign> {
  const status = statusAfter[action];
  return await changeCampaign(connection, scope, id, (before) => {
    if (before.status === 'Lifetime Budget Exhausted' && action !== 'end') throw exhausted(id);
    return { ...before, status };
  });
}

/** Any status may follow any other and itself. @throws {DomainError} `campaign_not_found` */
export async function setStatusAsOperator(
  connection: Connection,
  scope: Omit<ChangeScope, 'who' | 'countOne'>,
  { id, status }: { id: string; status: CampaignStatus },
): Promise<Campaign> {
  return await changeCampaign(connection, { ...scope, who: OPERATOR, countOne: () => {} }, id, (before) => ({
    ...before,
    status,
  }));
}

/** Records the event and the audit entry. Changes of one campaign never overlap. */
async function changeCampaign(
  connection: Connection,
  { merchantId, who, now, countOne }: ChangeScope,
  id: string,
  change: (before: CampaignRow) => CampaignRow,
): Promise<Campaign> {
  const before = await connection.first(lockCampaign, { merchantId, id });
  if (before === undefined) throw errors.campaign_not_found(id);
  const after = change(before);
  if (isEqual(before, after)) return campaignOf(before);
  if (before.status === 'Expired' && who !== OPERATOR) {
    const reason = `the campaign ${id} is expired and cannot be changed`;
    throw errors.invalid_parameters([{ field: 'internal_id', reason }]);
  }
  countOne();
  const { type: _, created_at: __, ...changed } = { ...after, updated_at: now };
  const updated = campaignOf({ ...after, updated_at: now });
  const type = before.status === after.status ? 'campaign.updated' : statusEvents[after.status];
  await Promise.all([
    connection.run(updateCampaignRow, { merchantId, ...changed }),
    recordEvent(connection, { merchantId, type, occurredAt: now, data: updated }),
    recordAudit(connection, { merchantId, who, ...describeChange(before, after) }, now),
  ]);
  if (before.status !== after.status) {
    const difference = (status: CampaignStatus): number =>
      Number(after.status === status) - Number(before.status === status);
    await connection.run(countStatusChange, {
      merchantId,
      paused: difference('Paused'),
      expired: difference('Expired'),
      exhausted: difference('Lifetime Budget Exhausted'),
    });
  }
  return updated;
}

/** The subject names the changed fields, unless the action says all. */
function describeChange(before: CampaignRow, after: CampaignRow): { action: AuditAction; subject: string } {
  const action = before.status === after.status ? 'campaign.changed' : statusActions[after.status];
  if (action !== 'campaign.changed') return { action, subject: after.name };
  const changes = (['name', 'status', ...amountNames] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${after[field] ?? 'none'}`);
  return { action, subject: `${before.name}: ${changes.join(', ')}` };
}

function exhausted(id: string): Error {
  const reason = `the lifetime budget of the campaign ${id} is exhausted: raise it, and your marketplace operator activates the campaign`;
  return errors.invalid_parameters([{ field: 'internal_id', reason }]);
}

function isEqual(before: CampaignRow, after: CampaignRow): boolean {
  return (['name', 'status', ...amountNames] as const).every((name) => before[name] === after[name]);
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
