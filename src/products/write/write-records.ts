import type { RecordFields } from '../../api-keys/record-fields.ts';
import { recordAudit, SERVICE } from '../../audit/record-audit.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Actor } from '../../database/actor.ts';
import { encodeError } from '../../database/encode-error.ts';
import type { TransactionContext, Verb } from '../../database/write-context.ts';
import { DomainError, orDomainError } from '../../errors/domain-error.ts';
import type { CallResult } from '../../requests/grouped-calls.ts';
import { findStoredResponse, type KeyedRequest, storeCounted } from '../../requests/run-once.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import type { Product } from '../record/product.ts';
import type { FoundProduct, StoredProduct } from '../record/queries.ts';
import { currentRevision } from '../record/revision.ts';
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
  /** Which fields the response has. */
  fields: RecordFields;
  ifMatch: string | undefined;
  /** Null for a call without an `Idempotency-Key`. */
  keyed: KeyedRequest | null;
  /** Each call has an object of its own, by which the history recognizes it. */
  who: Actor;
  /** Calls of the API leave no entry in the audit log, because an ERP system makes thousands. */
  isAudited: boolean;
}

/** What the writes of a group need in addition to a `TransactionContext`. */
export interface GroupSettings extends WriteSettings {
  budgets: Budgets;
}

/** `isAudited`, `who`, `keyed` and `fields` are as in `RecordCall`. */
interface AppliedChange {
  change: ProductChange;
  fields: RecordFields;
  who: Actor;
  isAudited: boolean;
  keyed: KeyedRequest | null;
  before: Product | undefined;
  after: CatalogEntry;
}

/** The response to an earlier request with the same `Idempotency-Key`. */
interface StoredResponse {
  stored: string;
}

/** Limits a group of several calls: their memory, and how long others wait. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** The change of each call, or why there is none. */
type PreparedChange = ProductChange | StoredResponse | DomainError;

export interface PreparedCalls {
  changes: PreparedChange[];
  /** The products that the calls name. */
  found: ReadonlyMap<string, FoundProduct | undefined>;
}

/** Finds the products that calls of one merchant change. `lockMerchant` must have been sent before. */
export async function prepareCalls(
  { connection, merchantId, now }: TransactionContext,
  recordChanges: RecordChanges,
  calls: readonly RecordCall[],
): Promise<PreparedCalls> {
  const products = new ProductFinder(connection, merchantId);
  const prepareChange = async ({ change: name, input }: RecordCall): Promise<ProductChange> => {
    const change = recordChanges[name];
    if (change === undefined) throw new Error(`there is no change ${name}`);
    const prepared = await change(products, input as never);
    await products.find(prepared.identifier);
    return prepared;
  };
  // Everything at the same time, so that a database server gets it in one round trip.
  const prepare = async (call: RecordCall): Promise<PreparedChange> => {
    const { keyed } = call;
    if (keyed === null) return await prepareChange(call);
    const [stored, change] = await Promise.all([
      findStoredResponse(connection, keyed, now),
      orDomainError(() => prepareChange(call)),
    ]);
    return stored === undefined ? change : { stored };
  };
  const changes = await Promise.all(calls.map((call) => orDomainError(() => prepare(call))));
  return { changes, found: products.found };
}

/**
 * Applies the changes of one merchant's calls in one batch, each to the result of the changes before it. A
 * call that fails changes nothing. The transaction must have locked the merchant. Returns the results of as
 * many calls as were applied, from the first. The remaining calls must wait for the next group: because of
 * `MAX_GROUP_BYTES`, or because they may concern a record of this group, which cannot be found before it is
 * written. `revision` is the catalog's.
 * @throws {BudgetExceeded} if the responses to calls with an `Idempotency-Key` are too large to store
 */
export async function writeRecords(
  context: TransactionContext & GroupSettings,
  calls: readonly RecordCall[],
  { changes, revision, found }: PreparedCalls & { revision: number },
): Promise<CallResult[]> {
  const { now } = context;
  const prepared = withinLimit(changes, found);
  const mentioned = prepared.flatMap((change) =>
    isChange(change) ? { ...change.mentions, identifier: change.identifier } : [],
  );
  // Each call says by itself who makes it.
  const group = { ...context, who: SERVICE };
  const batch = await openBatch(group, mentioned, { revision, products: withRecords(found) });
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
    const call = calls[index];
    if (call === undefined) throw new Error('a change has no call');
    const { ifMatch, who, isAudited, keyed, fields } = call;
    const before = batch.entry(change.identifier)?.product;
    const after = await orDomainError(() => applyChange(batch, change, { ifMatch, now, who }));
    applied.push(
      after instanceof DomainError ? after : { change, fields, who, isAudited, keyed, before, after },
    );
    if (!(after instanceof DomainError) && hasNoId(after.product)) withoutIds.add(change.identifier);
    await slices.pause();
  }
  await batch.write();
  auditChanges(context, applied);
  const results: CallResult[] = [];
  const toStore: { keyed: KeyedRequest; response: string }[] = [];
  for (const each of applied) {
    if (each instanceof DomainError) {
      results.push({ error: encodeError(each) });
    } else if ('stored' in each) {
      results.push({ json: each.stored });
    } else {
      const json = each.change.show(each.after, each.fields);
      if (each.keyed !== null) toStore.push({ keyed: each.keyed, response: json });
      results.push({ json });
    }
    await slices.pause();
  }
  await storeCounted(context, context.budgets, toStore);
  return results;
}

/** Returns the verb that runs calls of one merchant in one batch: see `writeRecords`. */
export function changeRecords(
  recordChanges: RecordChanges,
): Verb<readonly RecordCall[], CallResult[], GroupSettings> {
  return async (context, calls) => {
    const prepared = await prepareCalls(context, recordChanges, calls);
    return await writeRecords(context, calls, { ...prepared, revision: await currentRevision(context) });
  };
}

function isChange(prepared: PreparedChange): prepared is ProductChange {
  return 'identifier' in prepared;
}

function auditChanges(
  context: TransactionContext,
  applied: readonly (DomainError | StoredResponse | AppliedChange)[],
): void {
  for (const each of applied) {
    if (!('who' in each) || !each.isAudited) continue;
    const described = describeChange(each.before, each.after.product);
    if (described !== undefined) recordAudit({ ...context, who: each.who }, described);
  }
}

/** Returns the first changes with at most `MAX_GROUP_BYTES` of records together, and at least one. */
function withinLimit(
  changes: readonly PreparedChange[],
  found: PreparedCalls['found'],
): readonly PreparedChange[] {
  let sum = 0;
  const end = changes.findIndex((change, index) => {
    // Counted for each call, because each has its own response.
    sum += isChange(change) ? (found.get(change.identifier)?.bytes ?? 0) : 0;
    return index > 0 && sum > MAX_GROUP_BYTES;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** Leaves out products whose records are too large to have been read. */
function withRecords(found: PreparedCalls['found']): Map<string, StoredProduct | undefined> {
  const products = new Map<string, StoredProduct | undefined>();
  for (const [identifier, product] of found) {
    if (product === undefined) products.set(identifier, undefined);
    else if (product.record !== null) products.set(identifier, { ...product, record: product.record });
  }
  return products;
}

function hasNoId({ internal_id, variations }: Product): boolean {
  return internal_id === 0 || variations.some((variation) => variation.internal_id === 0);
}
