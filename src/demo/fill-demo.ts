import { createCampaign } from '../campaigns/create-campaign.ts';
import type { Database } from '../database/database.ts';
import type { Parsed } from '../imports/parsed.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import { itemMerchants } from '../merchants/item-merchants.ts';
import { importProducts } from '../products/files/import-products.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import { departments } from './assortment.ts';
import { generateProduct, withConsistentStatus } from './generate-products.ts';
import { generateSchedules } from './generate-schedules.ts';
import { withImages } from './images.ts';
import { Random } from './random.ts';

const shops = [
  { name: 'Harbour Home', timeZone: 'Europe/Amsterdam', departments: departments.home, products: 2_000 },
  { name: 'Alder Outdoors', timeZone: 'America/Denver', departments: departments.outdoors, products: 1_200 },
  { name: 'Lumen Jewelry', timeZone: 'UTC', departments: departments.jewelry, products: 400 },
];
const SCHEDULES_PER_PRODUCT_AND_MONTH = 0.25;
/** How long ago the oldest product of each shop was created. The others follow at equal intervals. */
const CATALOG_AGE_MS = 850 * 24 * 60 * 60 * 1000;
const BATCH = 500;

/**
 * Fills an empty database with the demo marketplace. Resolves to each merchant's ID, name and token. The data is always
 * the same, except for its times, which are relative to `now`.
 */
export async function fillDemo(services: {
  database: Database;
  now: () => number;
  lowInventory: number;
  /** The origin that serves `imageRoutes`. */
  origin: string;
}): Promise<{ id: number; name: string; token: string }[]> {
  const created: { id: number; name: string; token: string }[] = [];
  const now = services.now();
  for (const [index, shop] of shops.entries()) {
    const { id, token } = await createMerchant(services, {
      name: shop.name,
      email: null,
      timeZone: shop.timeZone,
    });
    const merchant = await findMerchant(services, String(id));
    if (merchant === undefined) throw new Error('the new merchant does not exist');
    const options = {
      merchants: itemMerchants(services.database, merchant),
      dryRun: false,
      onRejected: () => {},
      onRepeated: () => {},
    };
    const random = new Random(index + 1);
    const spacing = Math.floor(CATALOG_AGE_MS / shop.products);
    const products = [...Array(shop.products).keys()].map((number) => {
      const times = { created: now - CATALOG_AGE_MS + number * spacing, latest: now };
      const product = generateProduct(number + 1, times, shop.departments, random);
      return withImages(withConsistentStatus(product), services.origin);
    });
    await importProducts({ ...services, authority: 'operator' }, inBatches(products), options);
    const schedules = generateSchedules(
      products,
      shop.products * SCHEDULES_PER_PRODUCT_AND_MONTH,
      random,
      now,
    );
    await importSchedules(services, inBatches([...schedules]), options);
    await services.database.transaction(
      async (connection) => {
        for (const name of ['Spring sale', 'Clearance']) {
          const budgets = { daily_budget: 50, lifetime_budget: 1500, daily_budget_per_product: undefined };
          const campaign = {
            name,
            type: 'AuctionCampaign',
            bid_amount: 0.35,
            lifetime_budget_per_product: undefined,
          };
          await createCampaign(connection, id, { ...campaign, ...budgets }, now);
        }
      },
      { merchantId: id },
    );
    created.push({ id, name: shop.name, token });
  }
  return created;
}

async function* inBatches<Item>(items: readonly Item[]): AsyncGenerator<Parsed<Item>[]> {
  for (let start = 0; start < items.length; start += BATCH) {
    yield items.slice(start, start + BATCH).map((item, index) => ({ line: start + index + 1, item }));
  }
}
