import { countRows } from '../copy/queries.ts';
import { type Table, tables } from '../copy/tables.ts';
import type { Connection, Database, Reader } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { runVerb, type VerbCaller, type WriteContext } from '../database/write-context.ts';
import { departments } from '../demo/assortment.ts';
import { fillOrders } from '../demo/fill-orders.ts';
import { fillShop } from '../demo/fill-shop.ts';
import { generateOrders } from '../demo/generate-orders.ts';
import { Random } from '../demo/random.ts';
import { findMerchantById } from '../merchants/queries.ts';
import type { PushServices } from '../orders/push/push-batch.ts';
import { findStoredResponse, type KeyedRequest, keyedRequest, storeResponses } from '../requests/run-once.ts';
import { emptyTestSide, lockInEpoch } from './empty.ts';

/** The number of each, in wire order. */
export interface TestSide {
  products: number;
  variations: number;
  campaigns: number;
  schedules: number;
  orders: number;
}

export interface ResetServices extends PushServices {
  database: Database;
  now: () => number;
  lowBudget: number;
}

const SAMPLE_PRODUCTS = 60;
const SAMPLE_ORDERS = 40;
const SEED = 1;

const RESET_ENDPOINT = 'POST /test/reset.json';

interface Reset {
  samples: boolean;
  /** Its `Idempotency-Key`. */
  key: string | undefined;
}

/**
 * Empties a test side, and fills it with samples if `samples` is true. Resolves to the response as JSON.
 * Repeats the last response if the last reset had the same key. `runOnce` cannot, because a reset takes
 * several transactions, and deletes the responses of earlier keys.
 * @throws {DomainError} `idempotency_key_reused`; `reset_superseded` if another reset has started later
 */
export async function resetTestSide(
  services: ResetServices,
  caller: VerbCaller,
  { samples, key }: Reset,
): Promise<string> {
  const { database, now } = services;
  const { merchantId } = caller;
  const request = keyedRequest({ merchantId, key, endpoint: RESET_ENDPOINT, input: { samples } });
  const stored = request === null ? undefined : await findStoredResponse(database, request, now());
  if (stored !== undefined) return stored;
  const epoch = await emptyTestSide(services, caller);
  if (samples) await fillWithSamples(services, merchantId, epoch);
  return await runVerb(services, caller, endReset, { epoch, request });
}

/** The response is stored with the end of the reset. */
async function endReset(
  context: WriteContext,
  { epoch, request }: { epoch: number; request: KeyedRequest | null },
): Promise<string> {
  await lockInEpoch(context, epoch);
  const response = JSON.stringify(await count(context.connection, context.merchantId));
  if (request !== null) await storeResponses(context, [{ keyed: request, response }]);
  return response;
}

async function fillWithSamples(services: ResetServices, side: number, epoch: number): Promise<void> {
  const merchant = await services.database.first(findMerchantById, { merchantId: side });
  if (merchant === undefined) throw missingMerchant(side);
  const merchants = {
    find: async () => merchant,
    lock: (connection: Connection) => lockInEpoch({ connection, merchantId: side }, epoch),
  };
  const shop = { departments: departments.home, products: SAMPLE_PRODUCTS, complete: same };
  const random = new Random(SEED);
  const products = await fillShop(services, merchant, merchants, shop, random);
  const orders = generateOrders(products, SAMPLE_ORDERS, random, services.now());
  await fillOrders(services, merchant, merchants, orders);
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
    orders: await named('orders'),
  };
}
