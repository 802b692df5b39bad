import { countRows } from '../copy/queries.ts';
import { type Table, tables } from '../copy/tables.ts';
import type { Connection, Database, Reader } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { runVerb, type VerbCaller, type WriteContext } from '../database/write-context.ts';
import { departments } from '../demo/assortment.ts';
import { fillShop } from '../demo/fill-shop.ts';
import { Random } from '../demo/random.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { type KeyedRequest, storeResponses } from '../requests/run-once.ts';
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

/** The response of a reset is stored with it, so that a repetition gets it. */
interface Reset {
  samples: boolean;
  request: KeyedRequest | null;
}

/**
 * Empties a test side, and fills it with samples if `samples` is true.
 * @throws {DomainError} `reset_superseded` if another reset has started later
 */
export async function resetTestSide(
  services: ResetServices,
  caller: VerbCaller,
  { samples, request }: Reset,
): Promise<TestSide> {
  const epoch = await emptyTestSide(services, caller);
  if (samples) await fillWithSamples(services, caller.merchantId, epoch);
  return await runVerb(services, caller, endReset, { epoch, request });
}

async function endReset(
  context: WriteContext,
  { epoch, request }: { epoch: number } & Pick<Reset, 'request'>,
): Promise<TestSide> {
  await lockInEpoch(context, epoch);
  const result = await count(context.connection, context.merchantId);
  if (request !== null) await storeResponses(context, [{ keyed: request, response: JSON.stringify(result) }]);
  return result;
}

async function fillWithSamples(services: ResetServices, side: number, epoch: number): Promise<void> {
  const merchant = await services.database.first(findMerchantById, { merchantId: side });
  if (merchant === undefined) throw missingMerchant(side);
  const merchants = {
    find: async () => merchant,
    lock: (connection: Connection) => lockInEpoch({ connection, merchantId: side }, epoch),
  };
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
