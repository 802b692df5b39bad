import { countRows } from '../copy/queries.ts';
import { type Table, tables } from '../copy/tables.ts';
import type { Connection, Database, Reader } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { departments } from '../demo/assortment.ts';
import { fillShop } from '../demo/fill-shop.ts';
import { Random } from '../demo/random.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { emptyTestSide, lockInEpoch } from './empty.ts';

/** The number of each, in wire order. */
export interface TestSide {
  products: number;
  variations: number;
  campaigns: number;
  schedules: number;
}

export interface ResetServices {
  database: Database;
  now: () => number;
  lowInventory: number;
}

const SAMPLE_PRODUCTS = 60;
const SEED = 1;

/**
 * Empties a test side, and fills it with samples if `samples` is true. `finish` runs in the last transaction.
 * @throws {DomainError} `reset_superseded` if another reset has started later
 */
export async function resetTestSide(
  services: ResetServices,
  side: number,
  samples: boolean,
  finish: (connection: Connection, result: TestSide) => Promise<void>,
): Promise<TestSide> {
  const epoch = await emptyTestSide(services, side);
  const { database } = services;
  const lock = (connection: Connection): Promise<void> => lockInEpoch(connection, side, epoch);
  if (samples) await fillWithSamples(services, side, lock);
  const end = async (connection: Connection): Promise<TestSide> => {
    await lock(connection);
    const result = await count(connection, side);
    await finish(connection, result);
    return result;
  };
  return await database.transaction(end, { merchantId: side });
}

async function fillWithSamples(
  services: ResetServices,
  side: number,
  lock: (connection: Connection) => Promise<void>,
): Promise<void> {
  const merchant = await services.database.first(findMerchantById, { merchantId: side });
  if (merchant === undefined) throw missingMerchant(side);
  const merchants = { find: async () => merchant, lock };
  const shop = { departments: departments.home, products: SAMPLE_PRODUCTS, complete: same };
  await fillShop(services, merchant, merchants, shop, new Random(SEED));
}

function same<T>(value: T): T {
  return value;
}

async function count(reader: Reader, side: number): Promise<TestSide> {
  const rowsOf = async (table: Table | undefined): Promise<number> => {
    if (table === undefined) throw new Error('unknown table');
    return (await reader.first(countRows(table), { merchantId: side }))?.total ?? 0;
  };
  const named = (name: keyof TestSide): Promise<number> =>
    rowsOf(tables.find((table) => table.name === name));
  return {
    products: await named('products'),
    variations: await named('variations'),
    campaigns: await named('campaigns'),
    schedules: await named('schedules'),
  };
}
