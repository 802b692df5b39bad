import { recordAudit } from '../../audit/record-audit.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import { type EncodedError, encodeError } from '../../database/encode-error.ts';
import { lookUp } from '../../database/look-up.ts';
import type { TransactionContext, Verb } from '../../database/write-context.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  countStoredBytes,
  findStoredResponse,
  type KeyedRequest,
  storeResponses,
} from '../../requests/run-once.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Product } from '../record/product.ts';
import { findRecordSizes } from '../record/queries.ts';
import { applyChange, openBatch, type ProductChange, type WriteSettings } from './change-product.ts';
import { describeChange } from './describe-change.ts';
import { ProductFinder } from './find-products.ts';

/** Prepares the change that a call makes. @throws {DomainError} if the call names no record */
export type PrepareChange<Input> = (products: ProductFinder, input: Input) => Promise<ProductChange>;

/** The changes that calls can make, by name. */
export type RecordChanges = Readonly<Record<string, PrepareChange<never>>>;

/** A call that changes one product. Plain data. */
export interface RecordCall {
  /** A name of `RecordChanges`. */
  change: string;
  input: unknown;
  ifMatch: string | undefined;
  /** Null for a call without an `Idempotency-Key`. */
  keyed: KeyedRequest | null;
  /** For the audit log. Calls of the API leave no entry, because an ERP system makes thousands. */
  who?: string | undefined;
}

/** What the writes of a group need in addition to a `TransactionContext`. */
export interface GroupSettings extends WriteSettings {
  budgets: Budgets;
}

/** `who` and `keyed` are as in `RecordCall`. */
interface AppliedChange {
  change: ProductChange;
  who: string | undefined;
  keyed: KeyedRequest | null;
  before: Product | undefined;
  after: Product;
}

/** The response as JSON text, or why the call changed nothing. Plain data. */
export type CallResult = { json: string } | { error: EncodedError };

/** The response to an earlier request with the same `Idempotency-Key`. */
interface StoredResponse {
  stored: string;
}

/** Limits a group of several calls: their memory, and how long others wait. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** The change of each call, or why there is none. */
type PreparedChange = ProductChange | StoredResponse | DomainError;

/** Finds the products that calls of one merchant change. `lockMerchant` must have been sent before. */
export function prepareCalls(
  { connection, merchantId, now }: TransactionContext,
  recordChanges: RecordChanges,
  calls: readonly RecordCall[],
): Promise<PreparedChange[]> {
  const products = new ProductFinder(connection, merchantId);
  const prepare = async ({ change: name, input, keyed }: RecordCall): Promise<PreparedChange> => {
    const stored = keyed === null ? undefined : await findStoredResponse(connection, keyed, now);
    if (stored !== undefined) return { stored };
    const change = recordChanges[name];
    if (change === undefined) throw new Error(`there is no change ${name}`);
    return await change(products, input as never);
  };
  return Promise.all(calls.map((call) => orDomainError(() => prepare(call))));
}

/**
 * Applies the changes of one merchant's calls in one batch, each to the result of the changes before it. A
 * call that fails changes nothing. The transaction must have locked the merchant. Returns the results of as
 * many calls as were applied, from the first. The remaining calls must wait for the next group: because of
 * `MAX_GROUP_BYTES`, or because they may concern a record of this group, which cannot be found before it is
 * written.
 * @throws {BudgetExceeded} if the responses to calls with an `Idempotency-Key` are too large to store
 */
export async function writeRecords(
  context: TransactionContext & GroupSettings,
  calls: readonly RecordCall[],
  changes: readonly PreparedChange[],
): Promise<CallResult[]> {
  const { now } = context;
  const prepared = await withinLimit(context, changes);
  const mentioned = prepared.flatMap((change) =>
    isChange(change) ? { ...change.mentions, identifier: change.identifier } : [],
  );
  const batch = await openBatch(context, mentioned);
  const applied: (DomainError | StoredResponse | AppliedChange)[] = [];
  const withoutIds = new Set<string>();
  const slices = new TimeSlices();
  for (const [index, change] of prepared.entries()) {
    // A call that found no record may have meant one that this group creates.
    if (
      withoutIds.size > 0 &&
      (change instanceof DomainError || (isChange(change) && withoutIds.has(change.identifier)))
    )
      break;
    if (!isChange(change)) {
      applied.push(change);
      continue;
    }
    const { ifMatch, who, keyed = null } = calls[index] ?? { ifMatch: undefined };
    const before = batch.entry(change.identifier)?.product;
    const after = await orDomainError(() => applyChange(batch, change, { ifMatch, now }));
    applied.push(after instanceof DomainError ? after : { change, who, keyed, before, after });
    if (!(after instanceof DomainError) && hasNoId(after)) withoutIds.add(change.identifier);
    await slices.pause();
  }
  await batch.write();
  await auditChanges(context, applied);
  const results: CallResult[] = [];
  const toStore: { keyed: KeyedRequest; response: string }[] = [];
  for (const each of applied) {
    if (each instanceof DomainError) {
      results.push({ error: encodeError(each) });
    } else if ('stored' in each) {
      results.push({ json: each.stored });
    } else {
      const json = each.change.show(each.after);
      if (each.keyed !== null) toStore.push({ keyed: each.keyed, response: json });
      results.push({ json });
    }
    await slices.pause();
  }
  if (toStore.length > 0) {
    await countStoredBytes(
      context,
      context.budgets,
      toStore.map(({ response }) => response),
    );
    await storeResponses(context, toStore);
  }
  return results;
}

/** Returns the verb that runs calls of one merchant in one batch: see `writeRecords`. */
export function changeRecords(
  recordChanges: RecordChanges,
): Verb<readonly RecordCall[], CallResult[], GroupSettings> {
  return async (context, calls) =>
    await writeRecords(context, calls, await prepareCalls(context, recordChanges, calls));
}

function isChange(prepared: PreparedChange): prepared is ProductChange {
  return 'identifier' in prepared;
}

async function auditChanges(
  context: TransactionContext,
  applied: readonly (DomainError | StoredResponse | AppliedChange)[],
): Promise<void> {
  const entries = applied.flatMap((each) => {
    if (!('who' in each) || each.who === undefined) return [];
    const described = describeChange(each.before, each.after);
    return described === undefined ? [] : recordAudit({ ...context, who: each.who }, described);
  });
  await Promise.all(entries);
}

/** Returns an error that concerns one call. @throws any other, which concerns the group */
async function orDomainError<T>(step: () => T | Promise<T>): Promise<T | DomainError> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Returns the first changes with at most `MAX_GROUP_BYTES` of records together, and at least one. */
async function withinLimit(
  { connection, merchantId }: TransactionContext,
  changes: readonly PreparedChange[],
): Promise<readonly PreparedChange[]> {
  if (changes.length === 1) return changes;
  const names = changes.flatMap((change) => (isChange(change) ? change.identifier : []));
  const rows = await lookUp(connection, findRecordSizes, merchantId, [...new Set(names)]);
  const sizes = new Map(rows.map(({ identifier, bytes }) => [identifier, bytes]));
  let sum = 0;
  const end = changes.findIndex((change, index) => {
    // Counted for each call, because each has its own response.
    sum += isChange(change) ? (sizes.get(change.identifier) ?? 0) : 0;
    return index > 0 && sum > MAX_GROUP_BYTES;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

function hasNoId({ internal_id, variations }: Product): boolean {
  return internal_id === 0 || variations.some((variation) => variation.internal_id === 0);
}
