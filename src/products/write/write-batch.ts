import { recordAudit } from '../../audit/record-audit.ts';
import { lookUp } from '../../database/look-up.ts';
import type { TransactionContext, WriteContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { idempotent } from '../../requests/run-once.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { CatalogBatch, Outcome } from '../record/catalog-batch.ts';
import { findRecordSizes } from '../record/queries.ts';
import type { BatchLine } from './batch-parameters.ts';
import { deletedProblem, openBatch, type WriteSettings } from './change-product.ts';
import { checkStockChange, readStockChange, stockProblem } from './change-stock.ts';
import { parameterProblems } from './problems.ts';
import { isDeleted } from './products.ts';
import { readDraft, readNewDraft, type SentDraft, variationChange } from './read-draft.ts';
import { creationProblem, withoutNewVariations } from './stock-scope.ts';

export interface LineResult {
  /** From 1. */
  line: number;
  identifier: string | null;
  result: Outcome['kind'];
  /** Why the line was rejected. */
  errors: { name: string; reason: string }[];
}

/** A result for each line, in order, and how many there are of each kind. */
export interface BatchResult extends Record<Outcome['kind'], number> {
  results: LineResult[];
}

/** Limits the size of the response. */
const MAX_ERRORS = 20;
const MIB = 1024 * 1024;
/** Limits memory, and how long other writes wait. */
const MAX_RECORDS_BYTES = 32 * MIB;
const TOO_LARGE: Problem = {
  field: 'identifier',
  reason: `the records of the products in this batch exceed ${MAX_RECORDS_BYTES / MIB} MiB; send this product in another batch`,
};

interface Batch {
  lines: readonly BatchLine[];
  /** False for calls with keys, because an ERP system makes thousands. */
  isAudited: boolean;
  /** Whether lines create no products and add no variations. Their fields have been checked. */
  onlyQuantities: boolean;
}

/**
 * Applies each line to the result of the lines before it. A rejected line changes nothing. The transaction
 * must have locked the merchant.
 */
async function writeBatch(
  context: WriteContext & WriteSettings,
  { lines, isAudited, onlyQuantities }: Batch,
): Promise<BatchResult> {
  const calls = lines.flatMap((line) =>
    'product' in line ? line.product : 'stock' in line ? line.stock : [],
  );
  const tooMany = await productsBeyondLimit(context, calls);
  const accepted = calls.filter(({ identifier }) => !tooMany.has(identifier));
  const batch = await openBatch(context, accepted);
  const batchResult: BatchResult = { results: [], created: 0, updated: 0, unchanged: 0, rejected: 0 };
  const slices = new TimeSlices();
  for (const line of lines) {
    const result = applyLine(batch, line, { tooMany, onlyQuantities });
    batchResult.results.push(result);
    batchResult[result.result] += 1;
    await slices.pause();
  }
  await batch.write();
  if (isAudited && batchResult.created + batchResult.updated > 0) {
    const subject = `batch of ${lines.length} lines`;
    recordAudit(context, { action: 'products.imported', subject });
  }
  return batchResult;
}

export const writeBatchOnce = idempotent(async (context: WriteContext & WriteSettings, batch: Batch) => {
  const result = await writeBatch(context, batch);
  return { response: JSON.stringify(result), isChange: result.created + result.updated > 0 };
});

/** Returns the named products whose records exceed `MAX_RECORDS_BYTES` together with those before them. */
async function productsBeyondLimit(
  { connection, merchantId }: TransactionContext,
  calls: readonly { identifier: string }[],
): Promise<ReadonlySet<string>> {
  const names = [...new Set(calls.map(({ identifier }) => identifier))];
  const rows = await lookUp(connection, findRecordSizes, merchantId, names);
  const sizes = new Map(rows.map(({ identifier, bytes }) => [identifier, bytes]));
  let sum = 0;
  return new Set(
    names.filter((name) => {
      const size = sizes.get(name) ?? 0;
      if (size > 0 && sum > 0 && sum + size > MAX_RECORDS_BYTES) return true;
      sum += size;
      return false;
    }),
  );
}

function applyLine(
  batch: CatalogBatch,
  line: BatchLine,
  { tooMany, onlyQuantities }: { tooMany: ReadonlySet<string>; onlyQuantities: boolean },
): LineResult {
  if ('problems' in line) return rejected(line.number, line.identifier, line.problems);
  const { identifier } = 'product' in line ? line.product : line.stock;
  if (tooMany.has(identifier)) return rejected(line.number, identifier, [TOO_LARGE]);
  const sent =
    'product' in line ? productDraft(batch, line.product, onlyQuantities) : stockDraft(batch, line.stock);
  if (Array.isArray(sent)) return rejected(line.number, identifier, parameterProblems(sent));
  const outcome = batch.apply(sent.draft, sent.problems);
  if (outcome.kind === 'rejected') {
    const { problems } = outcome;
    const translated = 'stock' in line ? problems.map((each) => stockProblem(line.stock, each)) : problems;
    return rejected(line.number, identifier, parameterProblems(translated));
  }
  return { line: line.number, identifier, result: outcome.kind, errors: [] };
}

function rejected(line: number, identifier: string | null, problems: readonly Problem[]): LineResult {
  const errors = problems.slice(0, MAX_ERRORS).map(({ field: name, reason }) => ({ name, reason }));
  return { line, identifier, result: 'rejected', errors };
}

function productDraft(
  batch: CatalogBatch,
  input: Extract<BatchLine, { product: unknown }>['product'],
  onlyQuantities: boolean,
): SentDraft | Problem[] {
  const { identifier } = input;
  const before = batch.entry(identifier);
  if (before !== undefined) {
    if (isDeleted(before.product)) return [deletedProblem(identifier)];
    const sent = readDraft(identifier, input, before);
    return onlyQuantities ? withoutNewVariations(sent, before.product) : sent;
  }
  if (onlyQuantities) return [creationProblem(identifier)];
  const { draft, problems } = readNewDraft(identifier, input, undefined);
  if ((input.title ?? null) === null)
    problems.push({ field: 'title', value: null, reason: 'missing, expected text for a new product' });
  return { draft, problems };
}

function stockDraft(
  batch: CatalogBatch,
  { identifier, variation: name, ...change }: Extract<BatchLine, { stock: unknown }>['stock'],
): SentDraft | Problem[] {
  const before = batch.entry(identifier);
  const fail = (field: string, value: string, reason: string): Problem[] => [{ field, value, reason }];
  if (before === undefined)
    return fail('identifier', identifier, `there is no product with the unique ID ${identifier}`);
  if (isDeleted(before.product)) return [deletedProblem(identifier)];
  const variation = before.product.variations.find((each) => each.identifier === name);
  if (variation === undefined)
    return fail('variation', name, `the product ${identifier} has no variation with the unique ID ${name}`);
  if (variation.deleted_at !== null)
    return fail('variation', name, `the variation ${name} is deleted; create it again to use it`);
  const { draft, problems } = readStockChange(variation, change);
  return variationChange(identifier, draft, [...checkStockChange(change), ...problems]);
}
