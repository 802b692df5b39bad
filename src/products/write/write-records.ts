import { recordAudit } from '../../audit/record-audit.ts';
import { lookUp } from '../../database/look-up.ts';
import type { TransactionContext, WriteContext } from '../../database/write-context.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Product } from '../record/product.ts';
import { findRecordSizes } from '../record/queries.ts';
import { applyChange, openBatch, type ProductChange, type WriteSettings } from './change-product.ts';
import { describeChange } from './describe-change.ts';
import { ProductFinder } from './find-products.ts';

/** Resolves to the change that a call makes. @throws {DomainError} if the call names no record */
export type ReadCall<Input> = (products: ProductFinder, input: Input) => Promise<ProductChange>;

/** A call that changes one product. Apart from its function, it is plain data. */
export interface RecordCall<Input = unknown> {
  read(...call: Parameters<ReadCall<Input>>): Promise<ProductChange>;
  input: Input;
  ifMatch: string | undefined;
  /** For the audit log. Calls of the API leave no entry, because an ERP system makes thousands. */
  who?: string | undefined;
}

/** `who` is as in `RecordCall`. */
interface AppliedChange {
  change: ProductChange;
  who: string | undefined;
  before: Product | undefined;
  after: Product;
}

/** The response as JSON text, or why the call changed nothing. */
export type CallResult = { json: string } | { error: DomainError };

/** Limits a group of several calls: their memory, and how long others wait. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** The change of each call, or why there is none. */
type PreparedChanges = readonly (ProductChange | DomainError)[];

/** Finds the products that calls of one merchant change. The transaction must lock the merchant before. */
export function prepareCalls(
  { connection, merchantId }: Pick<TransactionContext, 'connection' | 'merchantId'>,
  calls: readonly RecordCall[],
): Promise<PreparedChanges> {
  const products = new ProductFinder(connection, merchantId);
  return Promise.all(calls.map((call) => orDomainError(() => call.read(products, call.input))));
}

/**
 * Applies the changes of one merchant's calls in one batch, each to the result of the changes before it. A
 * call that fails changes nothing. The transaction must have locked the merchant. Resolves to the results of
 * the first calls. The others wait for the next group: because of `MAX_GROUP_BYTES`, or because they may
 * concern a record of this group, which cannot be found before it is written.
 */
export async function writeRecords(
  context: TransactionContext & WriteSettings,
  calls: readonly RecordCall[],
  changes: PreparedChanges,
): Promise<CallResult[]> {
  const { now } = context;
  const prepared = await withinLimit(context, changes);
  const mentioned = prepared.flatMap((change) =>
    change instanceof DomainError ? [] : { ...change.mentions, identifier: change.identifier },
  );
  const batch = await openBatch(context, mentioned);
  const applied: (DomainError | AppliedChange)[] = [];
  const withoutIds = new Set<string>();
  const slices = new TimeSlices();
  for (const [index, change] of prepared.entries()) {
    // A call that found no record may have meant one that this group creates.
    if (withoutIds.size > 0 && (change instanceof DomainError || withoutIds.has(change.identifier))) break;
    if (change instanceof DomainError) {
      applied.push(change);
      continue;
    }
    const { ifMatch, who } = calls[index] ?? { ifMatch: undefined };
    const before = batch.entry(change.identifier)?.product;
    const after = await orDomainError(() => applyChange(batch, change, { ifMatch, now }));
    applied.push(after instanceof DomainError ? after : { change, who, before, after });
    if (!(after instanceof DomainError) && hasNoId(after)) withoutIds.add(change.identifier);
    await slices.pause();
  }
  await batch.write();
  await auditChanges(context, applied);
  const results: CallResult[] = [];
  for (const each of applied) {
    results.push(each instanceof DomainError ? { error: each } : { json: each.change.show(each.after) });
    await slices.pause();
  }
  return results;
}

/**
 * Applies one call. The transaction must have locked the merchant. Resolves to the response as JSON text.
 * @throws {DomainError} if the call failed and changed nothing
 */
export async function writeRecord(context: WriteContext & WriteSettings, call: RecordCall): Promise<string> {
  const [result] = await writeRecords(context, [call], await prepareCalls(context, [call]));
  if (result === undefined) throw new Error('the first call of a group has a result');
  if ('error' in result) throw result.error;
  return result.json;
}

async function auditChanges(
  context: TransactionContext,
  applied: readonly (DomainError | AppliedChange)[],
): Promise<void> {
  const entries = applied.flatMap((each) => {
    if (each instanceof DomainError || each.who === undefined) return [];
    const described = describeChange(each.before, each.after);
    return described === undefined ? [] : recordAudit({ ...context, who: each.who }, described);
  });
  await Promise.all(entries);
}

/** Any other error concerns the whole group. */
async function orDomainError<T>(step: () => T | Promise<T>): Promise<T | DomainError> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Returns the first changes with at most `MAX_GROUP_BYTES` of records together, and at least one. */
async function withinLimit<Change extends { identifier: string } | DomainError>(
  { connection, merchantId }: TransactionContext,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  if (changes.length === 1) return changes;
  const names = changes.flatMap((change) => (change instanceof DomainError ? [] : change.identifier));
  const rows = await lookUp(connection, findRecordSizes, merchantId, [...new Set(names)]);
  const sizes = new Map(rows.map(({ identifier, bytes }) => [identifier, bytes]));
  let sum = 0;
  const end = changes.findIndex((change, index) => {
    // Counted for each call, because each has its own response.
    sum += change instanceof DomainError ? 0 : (sizes.get(change.identifier) ?? 0);
    return index > 0 && sum > MAX_GROUP_BYTES;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

function hasNoId({ internal_id, variations }: Product): boolean {
  return internal_id === 0 || variations.some((variation) => variation.internal_id === 0);
}
