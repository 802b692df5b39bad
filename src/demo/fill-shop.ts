import { OPERATOR } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import type { ItemMerchants } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { importProducts } from '../products/files/import-products.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import type { Department } from './assortment.ts';
import { fillCampaigns } from './fill-campaigns.ts';
import { generateProduct, withConsistentStatus } from './generate-products.ts';
import { generateSchedules } from './generate-schedules.ts';
import { inBatches } from './in-batches.ts';
import type { Random } from './random.ts';

const SCHEDULES_PER_PRODUCT_AND_MONTH = 0.25;
/** The oldest product's age. The others follow at equal intervals. */
const CATALOG_AGE_MS = 850 * 24 * 60 * 60 * 1000;

interface Shop {
  departments: readonly [Department, ...Department[]];
  products: number;
  complete: (product: ProductDraft) => ProductDraft;
}

/**
 * Adds products, two years of auctions, and two campaigns with their placements. Equal random numbers give
 * the same data, except for its times, which are relative to `now`. `merchants` locks the merchant in each
 * transaction. Resolves to the products.
 */
export async function fillShop(
  services: { database: Database; now: () => number; lowInventory: number; lowBudget: number },
  merchant: MerchantRow,
  merchants: ItemMerchants<MerchantRow>,
  shop: Shop,
  random: Random,
): Promise<ProductDraft[]> {
  const now = services.now();
  const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
  const spacing = Math.floor(CATALOG_AGE_MS / shop.products);
  const products = [...Array(shop.products).keys()].map((number) => {
    const times = { created: now - CATALOG_AGE_MS + number * spacing, latest: now };
    const product = generateProduct(number + 1, times, shop.departments, random);
    return shop.complete(withConsistentStatus(product));
  });
  await importProducts({ ...services, who: OPERATOR, authority: 'operator' }, inBatches(products), options);
  const perMonth = shop.products * SCHEDULES_PER_PRODUCT_AND_MONTH;
  const schedules = [...generateSchedules(products, perMonth, random, now)];
  await importSchedules(services, inBatches(schedules), options);
  await fillCampaigns(services, merchant, merchants, { products, schedules });
  return products;
}
