import { isPerMerchant, type Table, tables } from '../copy/tables.ts';
import { newEpoch, setEpoch } from '../database/epoch.ts';
import {
  runVerb,
  type TransactionContext,
  type VerbCaller,
  type VerbServices,
  type WriteContext,
} from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { CountChanges } from '../products/record/count-changes.ts';
import { parseProduct } from '../products/record/product.ts';
import { listRecordsAfter } from '../products/record/queries.ts';
import { currentRevision, raiseRevision } from '../products/record/revision.ts';
import { deleteAllRows, deleteProduct, deleteSomeRows, deleteVariation, lockEpoch } from './queries.ts';

/** A reset keeps counters, for new ids, keys, events, uses of limits, and the log of requests. */
const KEPT_TABLES = [
  'merchant_counters',
  'api_keys',
  'key_tokens',
  'outbox',
  'request_counts',
  'budget_uses',
  'failed_requests',
  'usage_hours',
];
/** These change together, and with the revision, so that every list stays correct meanwhile. */
const CATALOG = ['products', 'product_counts', 'campaign_products', 'variations'];
const ROWS_AT_ONCE = 1_000;
const PRODUCTS_AT_ONCE = 25;
const VARIATIONS_AT_ONCE = 2_000;
const ALL_CHANGED = { rows: true, status: true, category: true, figures: true };

/** Tables with a merchant's data. New ones are emptied without a change here. */
const emptied: readonly Table[] = tables.filter(
  (table) => isPerMerchant(table) && !KEPT_TABLES.includes(table.name),
);

interface InEpoch {
  epoch: number;
}

/**
 * Deletes a test side's data in short transactions, so that other writes never wait long. The last one also
 * deletes what was written meanwhile. Earlier cursors are refused. Resolves to the epoch of the empty test
 * side; `lockInEpoch` with it fails once another reset has started.
 * @throws {DomainError} `reset_superseded`
 */
export async function emptyTestSide(services: VerbServices, caller: VerbCaller): Promise<number> {
  const epoch = await runVerb(services, caller, nextEpoch, undefined);
  for (const { name } of emptied) {
    if (CATALOG.includes(name)) continue;
    while (await runVerb(services, caller, deleteSomeRowsOf, { epoch, table: name }));
  }
  while (await runVerb(services, caller, deleteSomeProducts, { epoch }));
  return await runVerb(services, caller, deleteRest, { epoch });
}

/**
 * Locks a test side until the transaction ends. @throws {DomainError} `reset_superseded` if another epoch has
 * started
 */
export async function lockInEpoch(
  { connection, merchantId }: Pick<TransactionContext, 'connection' | 'merchantId'>,
  epoch: number,
): Promise<void> {
  if ((await connection.run(lockEpoch, { merchantId, epoch })) === 0) throw errors.reset_superseded();
}

/** Starts a new epoch: earlier cursors are refused, and earlier resets stop. */
async function nextEpoch({ connection, merchantId }: WriteContext): Promise<number> {
  const epoch = newEpoch();
  await connection.run(setEpoch, { merchantId, epoch });
  return epoch;
}

/** Resolves to whether there are probably more. */
async function deleteSomeRowsOf(
  context: WriteContext,
  { epoch, table: name }: InEpoch & { table: string },
): Promise<boolean> {
  await lockInEpoch(context, epoch);
  const { connection, merchantId } = context;
  const table = emptied.find((each) => each.name === name);
  if (table === undefined) throw new Error(`a reset keeps ${name}`);
  const deleted = await connection.run(deleteSomeRows(table), { merchantId, limit: ROWS_AT_ONCE });
  return deleted === ROWS_AT_ONCE;
}

/** Deletes products with their variations. Resolves to whether there are probably more. */
async function deleteSomeProducts(context: WriteContext, { epoch }: InEpoch): Promise<boolean> {
  await lockInEpoch(context, epoch);
  const { connection, merchantId } = context;
  const rows = await connection.all(listRecordsAfter, { merchantId, after: 0, limit: PRODUCTS_AT_ONCE });
  raiseRevision(context, await currentRevision(context), ALL_CHANGED);
  const counts = new CountChanges();
  const variations: string[] = [];
  let deleted = 0;
  for (const { record } of rows) {
    const product = parseProduct(record);
    counts.add(product, -1);
    variations.push(...product.variations.map(({ identifier }) => identifier));
    await connection.run(deleteProduct, { merchantId, internalId: product.internal_id });
    deleted += 1;
    if (variations.length >= VARIATIONS_AT_ONCE) break;
  }
  await connection.runEach(
    deleteVariation,
    variations.map((identifier) => ({ merchantId, identifier })),
  );
  counts.write(context);
  return deleted < rows.length || rows.length === PRODUCTS_AT_ONCE;
}

async function deleteRest(context: WriteContext, { epoch }: InEpoch): Promise<number> {
  await lockInEpoch(context, epoch);
  const { connection, merchantId } = context;
  raiseRevision(context, await currentRevision(context), ALL_CHANGED);
  for (const table of emptied) await connection.run(deleteAllRows(table), { merchantId });
  return await nextEpoch(context);
}
