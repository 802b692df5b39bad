import { isPerMerchant, type Table, tables } from '../copy/tables.ts';
import type { Connection, Database } from '../database/database.ts';
import { newEpoch, setEpoch } from '../database/epoch.ts';
import { errors } from '../errors/errors.ts';
import { CountChanges } from '../products/record/count-changes.ts';
import { parseProduct } from '../products/record/product.ts';
import { addToCount, deleteEmptyCount, listRecordsAfter } from '../products/record/queries.ts';
import { raiseRevision } from '../products/record/revision.ts';
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
const CATALOG = ['products', 'product_counts', 'variations'];
const ROWS_AT_ONCE = 1_000;
const PRODUCTS_AT_ONCE = 25;
const VARIATIONS_AT_ONCE = 2_000;
const ALL_CHANGED = { rows: true, status: true, category: true, figures: true };

/** Tables with a merchant's data. New ones are emptied without a change here. */
const emptied: readonly Table[] = tables.filter(
  (table) => isPerMerchant(table) && !KEPT_TABLES.includes(table.name),
);

/**
 * Deletes a test side's data in short transactions, so that other writes never wait long. The last one also
 * deletes what was written meanwhile. Earlier cursors are refused. Resolves to the epoch of the empty test
 * side; `lockEpoch` with it fails once another reset has started.
 * @throws {DomainError} `reset_superseded`
 */
export async function emptyTestSide(
  { database, now }: { database: Database; now: () => number },
  side: number,
): Promise<number> {
  const begin = (connection: Connection): Promise<number> => nextEpoch(connection, side);
  const epoch = await database.transaction(begin, { merchantId: side });
  const inEpoch = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    database.transaction(
      async (connection) => {
        await lockInEpoch(connection, side, epoch);
        return await work(connection);
      },
      { merchantId: side },
    );
  for (const table of emptied.filter(({ name }) => !CATALOG.includes(name))) {
    const parameters = { merchantId: side, limit: ROWS_AT_ONCE };
    while (
      (await inEpoch((connection) => connection.run(deleteSomeRows(table), parameters))) === ROWS_AT_ONCE
    );
  }
  while (await inEpoch((connection) => deleteSomeProducts(connection, side, now())));
  return await inEpoch(async (connection) => {
    await raiseRevision(connection, side, now(), ALL_CHANGED);
    for (const table of emptied) await connection.run(deleteAllRows(table), { merchantId: side });
    return await nextEpoch(connection, side);
  });
}

/**
 * Locks a test side until the transaction ends. @throws {DomainError} `reset_superseded` if another epoch has
 * started
 */
export async function lockInEpoch(connection: Connection, side: number, epoch: number): Promise<void> {
  if ((await connection.run(lockEpoch, { merchantId: side, epoch })) === 0) throw errors.reset_superseded();
}

/** Starts a new epoch: earlier cursors are refused, and earlier resets stop. */
async function nextEpoch(connection: Connection, side: number): Promise<number> {
  const epoch = newEpoch();
  await connection.run(setEpoch, { merchantId: side, epoch });
  return epoch;
}

/** Deletes products with their variations. Resolves to whether there are probably more. */
async function deleteSomeProducts(connection: Connection, side: number, now: number): Promise<boolean> {
  const rows = await connection.all(listRecordsAfter, {
    merchantId: side,
    after: 0,
    limit: PRODUCTS_AT_ONCE,
  });
  await raiseRevision(connection, side, now, ALL_CHANGED);
  const counts = new CountChanges();
  const variations: string[] = [];
  let deleted = 0;
  for (const { record } of rows) {
    const product = parseProduct(record);
    counts.add(product, -1);
    variations.push(...product.variations.map(({ identifier }) => identifier));
    await connection.run(deleteProduct, { merchantId: side, internalId: product.internal_id });
    deleted += 1;
    if (variations.length >= VARIATIONS_AT_ONCE) break;
  }
  await connection.runEach(
    deleteVariation,
    variations.map((identifier) => ({ merchantId: side, identifier })),
  );
  await connection.runEach(addToCount, counts.rows(side));
  await connection.runEach(deleteEmptyCount, counts.lowered(side));
  return deleted < rows.length || rows.length === PRODUCTS_AT_ONCE;
}
