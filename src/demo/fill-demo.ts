import { createCampaign } from '../campaigns/create-campaign.ts';
import type { Database } from '../database/database.ts';
import type { Parsed } from '../imports/parsed.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import { itemMerchants } from '../merchants/item-merchants.ts';
import { importProducts } from '../products/files/import-products.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import { departments } from './assortment.ts';
import { generateProduct } from './generate-products.ts';
import { generateSchedules } from './generate-schedules.ts';
import { withPictures } from './pictures.ts';
import { Random } from './random.ts';

const shops = [
  { name: 'Harbour Home', timeZone: 'Europe/Amsterdam', departments: departments.home, products: 2_000 },
  { name: 'Alder Outdoors', timeZone: 'America/Denver', departments: departments.outdoors, products: 1_200 },
  { name: 'Lumen Jewelry', timeZone: 'UTC', departments: departments.jewelry, products: 400 },
];
const SCHEDULES_A_MONTH_AND_PRODUCT = 0.25;
/** The oldest product of each shop was made then, and the newest so much later. */
const FIRST_DAY = Date.UTC(2024, 5, 1);
const CATALOG_AGE_MS = 850 * 24 * 60 * 60 * 1000;
const BATCH = 500;

/** Fills an empty database with the demo marketplace; resolves to each merchant's id, name and token. */
export async function fillDemo(services: {
  database: Database;
  now: () => number;
  lowInventory: number;
  /** Where `pictureRoutes` answers. */
  origin: string;
}): Promise<{ id: number; name: string; token: string }[]> {
  const made: { id: number; name: string; token: string }[] = [];
  for (const [index, shop] of shops.entries()) {
    const { id, token } = await createMerchant(services, {
      name: shop.name,
      email: null,
      timeZone: shop.timeZone,
    });
    const merchant = await findMerchant(services, String(id));
    if (merchant === undefined) throw new Error('the merchant just made is gone');
    const options = {
      merchants: itemMerchants(services.database, merchant),
      dryRun: false,
      onRejected: () => {},
      onRepeated: () => {},
    };
    const random = new Random(index + 1);
    const spacing = Math.floor(CATALOG_AGE_MS / shop.products);
    const products = [...Array(shop.products).keys()].map((number) =>
      withPictures(
        generateProduct(number + 1, FIRST_DAY + number * spacing, shop.departments, random),
        services.origin,
      ),
    );
    await importProducts({ ...services, authority: 'operator' }, inBatches(products), options);
    const schedules = generateSchedules(products, shop.products * SCHEDULES_A_MONTH_AND_PRODUCT, random);
    await importSchedules(services, inBatches([...schedules]), options);
    await services.database.transaction(async (connection) => {
      for (const name of ['Spring sale', 'Clearance']) {
        const budgets = { daily_budget: 50, lifetime_budget: 1500, daily_budget_per_product: undefined };
        const campaign = {
          name,
          type: 'AuctionCampaign',
          bid_amount: 0.35,
          lifetime_budget_per_product: undefined,
        };
        await createCampaign(connection, id, { ...campaign, ...budgets }, services.now());
      }
    });
    made.push({ id, name: shop.name, token });
  }
  return made;
}

async function* inBatches<Item>(items: readonly Item[]): AsyncGenerator<Parsed<Item>[]> {
  for (let start = 0; start < items.length; start += BATCH) {
    yield items.slice(start, start + BATCH).map((item, index) => ({ line: start + index + 1, item }));
  }
}
