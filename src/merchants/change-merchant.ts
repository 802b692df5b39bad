import { recordAudit } from '../audit/record-audit.ts';
import type { Connection } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { testSideOf } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { checkOperatorsId, type MerchantFields, merchantProblems } from './check-merchant.ts';
import { addMerchant, DEFAULT_CURRENCY, idTaken, type MerchantNeeds } from './create-merchant.ts';
import {
  deleteWord,
  findAnyPlacement,
  findAnySchedule,
  findMerchantByExternalId,
  findMerchantById,
  insertWord,
  type MerchantRow,
  setLimits,
  setSuspension,
  setTimeZone,
  updateMerchantRow,
} from './queries.ts';
import { wordsOf } from './search-merchants.ts';
import { takeName } from './take-name.ts';

/** The keys, sessions and imports of a suspended merchant are refused. */
export const merchantStates = ['active', 'suspended'] as const;
export type MerchantState = (typeof merchantStates)[number];

/** The fields to change; others keep their values. */
interface MerchantChange extends Partial<MerchantFields> {
  state?: MerchantState;
  /** What the merchant is told about its suspension. Null clears it; so does another state. */
  suspensionReason?: string | null;
  /** As in `MerchantRow`. */
  requestLimit?: number | null;
  productLimit?: number | null;
  externalId?: string;
  /** Whether the merchant can get a name that another merchant gave up; false if omitted. */
  anyName?: boolean;
}

export function stateOf({ suspended_at }: Pick<MerchantRow, 'suspended_at'>): MerchantState {
  return suspended_at === null ? 'active' : 'suspended';
}

/** Of a suspension. */
export const MAX_REASON_LENGTH = 500;
/** What no database can store, in texts that do not come over HTTP. */
const UNSTORABLE = /[\0\p{Cs}]/u;

const DEFAULT_TIME_ZONE = 'UTC';

type Context = WriteContext & MerchantNeeds;

/**
 * Creates the merchant with this external ID, or changes the sent fields of the existing one. Repeating it
 * changes nothing.
 * @throws {DomainError} `invalid_fields` as `addMerchant` and `changeMerchant`, and for a new merchant
 *   without a name or with a registered merchant's external ID
 */
export async function putMerchant(
  context: Context,
  { externalId, ...change }: MerchantChange & { externalId: string },
): Promise<{ merchant: MerchantRow; isNew: boolean }> {
  const { connection, dialect } = context;
  // Two requests may create the same merchant.
  await connection.all(dialect.takeGlobalLock);
  const known = await connection.first(findMerchantByExternalId, { externalId });
  if (known !== undefined) return { merchant: await applyChange(context, known, change), isNew: false };
  checkOperatorsId(externalId);
  const { name, email = null, timeZone = DEFAULT_TIME_ZONE, currency = DEFAULT_CURRENCY } = change;
  const { state, suspensionReason, requestLimit, productLimit } = change;
  if (name === undefined) {
    const others = merchantProblems({ name: 'New', email, timeZone, currency });
    throw errors.invalid_fields([{ field: 'name', reason: 'A new merchant needs a name.' }, ...others]);
  }
  const merchantId = await addMerchant(context, { name, email, timeZone, currency, externalId });
  recordAudit({ ...context, merchantId }, { action: 'merchant.created', subject: name });
  const created = await connection.first(findMerchantByExternalId, { externalId });
  if (created === undefined) throw missingMerchant(merchantId);
  const more = { state, suspensionReason, requestLimit, productLimit };
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  return { merchant: await applyChange(context, created, given), isNew: true };
}

/**
 * Changes the sent fields of the context's merchant. From the commit on, every process refuses the keys,
 * console sessions and imports of a suspended merchant.
 * @throws {DomainError} `invalid_fields` for invalid values, a reason without a suspension, a name that
 *   `takeName` refuses, an external ID that is taken or only for registration, another time zone for a
 *   merchant with schedules or placements, whose months and days are stored, and another currency for one
 *   with placements
 */
export async function changeMerchant(context: Context, change: MerchantChange): Promise<MerchantRow> {
  const { connection, merchantId, dialect } = context;
  await connection.all(dialect.takeGlobalLock);
  const before = await connection.first(findMerchantById, { merchantId });
  if (before === undefined) throw missingMerchant(merchantId);
  return await applyChange(context, before, change);
}

async function applyChange(
  caller: WriteContext,
  before: MerchantRow,
  change: MerchantChange,
): Promise<MerchantRow> {
  const context = { ...caller, merchantId: before.id };
  const { connection, merchantId, now } = context;
  const { name = before.name, email = before.email, currency = before.currency, anyName = false } = change;
  const { timeZone = before.time_zone, externalId = before.external_id, state = stateOf(before) } = change;
  const { suspensionReason = before.suspension_reason } = change;
  const { requestLimit = before.request_limit, productLimit = before.product_limit } = change;
  checkReason(change.suspensionReason ?? null);
  if (state === 'active' && (change.suspensionReason ?? null) !== null) throw noSuspension();
  const after: MerchantRow = {
    ...before,
    external_id: externalId,
    name,
    email,
    time_zone: timeZone,
    currency,
    suspended_at: state === 'active' ? null : (before.suspended_at ?? now),
    suspension_reason: state === 'active' ? null : suspensionReason,
    request_limit: requestLimit,
    product_limit: productLimit,
  };
  const changed = (Object.keys(after) as (keyof MerchantRow)[]).filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return before;
  // A name from before the present rules stays, so that its merchant can still be suspended.
  const problems = merchantProblems({ name, email, timeZone, currency }).filter(
    ({ field }) => field !== 'name' || changed.includes('name'),
  );
  if (problems.length > 0) throw errors.invalid_fields(problems);
  if (externalId !== before.external_id) checkOperatorsId(externalId);
  await requireFree(connection, before, after);
  if (name !== before.name) await takeName(context, { name, anyName });
  const { created_at: _, ...row } = after;
  await connection.run(updateMerchantRow, row);
  for (const { word } of wordsOf(before)) await connection.run(deleteWord, { word, merchantId });
  await connection.runEach(insertWord, wordsOf(after));
  const changesState = changed.includes('suspended_at');
  const fields = changed.filter(
    (key) => key !== 'suspended_at' && !(key === 'suspension_reason' && changesState),
  );
  if (fields.length > 0) {
    const subject = fields.map((key) => `${key} ${after[key]}`).join(', ');
    recordAudit(context, { action: 'merchant.changed', subject });
  }
  const sides = [merchantId, testSideOf(merchantId)];
  if (changed.includes('time_zone'))
    for (const side of sides) await connection.run(setTimeZone, { merchantId: side, timeZone });
  if (changed.includes('request_limit') || changed.includes('product_limit'))
    for (const side of sides)
      await connection.run(setLimits, { merchantId: side, requestLimit, productLimit });
  if (changesState) {
    for (const side of sides)
      await connection.run(setSuspension, { merchantId: side, suspendedAt: after.suspended_at });
    const action = state === 'active' ? 'merchant.activated' : 'merchant.suspended';
    recordAudit(context, { action, subject: after.suspension_reason });
    if (state === 'suspended') recordEvent(context, { type: 'merchant.suspended', data: { name } });
  }
  return after;
}

/** @throws {DomainError} `invalid_fields` */
function checkReason(suspensionReason: string | null): void {
  if (suspensionReason === null) return;
  const { length } = [...suspensionReason];
  if (length <= MAX_REASON_LENGTH && suspensionReason.trim() !== '' && !UNSTORABLE.test(suspensionReason))
    return;
  const reason = `Expected text of 1 to ${MAX_REASON_LENGTH} characters.`;
  throw errors.invalid_fields([{ field: 'suspension_reason', reason }]);
}

function noSuspension(): DomainError {
  const reason = 'Only a suspended merchant has a reason: set the state to suspended.';
  return errors.invalid_fields([{ field: 'suspension_reason', reason }]);
}

async function requireFree(connection: Connection, before: MerchantRow, after: MerchantRow): Promise<void> {
  const { id, external_id: externalId } = after;
  const other = await connection.first(findMerchantByExternalId, { externalId });
  if (other !== undefined && other.id !== id) throw idTaken(externalId);
  const [zoneChanges, currencyChanges] = [
    before.time_zone !== after.time_zone,
    before.currency !== after.currency,
  ];
  if (!zoneChanges && !currencyChanges) return;
  const hasPlacements = (await connection.first(findAnyPlacement, { merchantId: id })) !== undefined;
  if (hasPlacements && currencyChanges) {
    const reason = `The currency of a merchant with placements cannot change: their prices are in ${before.currency}.`;
    throw errors.invalid_fields([{ field: 'currency', reason }]);
  }
  if (!zoneChanges) return;
  if (!hasPlacements && (await connection.first(findAnySchedule, { merchantId: id })) === undefined) return;
  const [what, figures] = hasPlacements
    ? ['placements', 'its budgets are spent by days']
    : ['schedules', 'its monthly sales are of months'];
  const reason = `The time zone of a merchant with ${what} cannot change: ${figures} in ${before.time_zone}.`;
  throw errors.invalid_fields([{ field: 'time_zone', reason }]);
}
