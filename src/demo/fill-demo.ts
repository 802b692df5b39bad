import type { Database } from '../database/database.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import { itemMerchants } from '../merchants/item-merchants.ts';
import type { CustomerVault } from '../orders/customer/customer-vault.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import { importSchedules } from '../sales/import-schedules.ts';
import { departments } from './assortment.ts';
import { fillDiagnosis } from './fill-diagnosis.ts';
import { fillOrders } from './fill-orders.ts';
import { fillShop } from './fill-shop.ts';
import { generateOrders } from './generate-orders.ts';
import { schedulesOf } from './generate-schedules.ts';
import { withImages } from './images.ts';
import { inBatches } from './in-batches.ts';
import { Random } from './random.ts';

/** Four, so that each competes with three others: with fewer, no bids are suggested (`needed-bids.ts`). */
const shops = [
  {
    name: 'Harbour Home',
    timeZone: 'Europe/Amsterdam',
    departments: departments.home,
    products: 2_000,
    orders: 360,
  },
  {
    name: 'Alder Outdoors',
    timeZone: 'America/Denver',
    departments: departments.outdoors,
    products: 1_200,
    orders: 200,
  },
  { name: 'Lumen Jewelry', timeZone: 'UTC', departments: departments.jewelry, products: 400, orders: 90 },
  {
    name: 'Juniper Lane',
    timeZone: 'Europe/Berlin',
    departments: departments.home,
    products: 300,
    orders: 60,
  },
];

/** Fills an empty database, always with the same data, except for times, which are relative to `now`. */
export async function fillDemo(services: {
  database: Database;
  now: () => number;
  lowInventory: number;
  lowBudget: number;
  customers: CustomerVault;
  /** The origin that serves `imageRoutes`. */
  origin: string;
}): Promise<{ id: number; name: string; token: string }[]> {
  const created: { id: number; name: string; token: string }[] = [];
  for (const [index, shop] of shops.entries()) {
    const { id, token } = await createMerchant(services, {
      name: shop.name,
      email: null,
      timeZone: shop.timeZone,
    });
    const merchant = await findMerchant(services, String(id));
    if (merchant === undefined) throw new Error('the new merchant does not exist');
    const merchants = itemMerchants(services.database, merchant);
    const filled = { ...shop, complete: (product: ProductDraft) => withImages(product, services.origin) };
    const products = await fillShop(services, merchant, merchants, filled, new Random(index + 1));
    const orders = generateOrders(products, shop.orders, new Random(index + 101), services.now());
    await fillOrders(services, merchant, merchants, orders);
    const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
    await importSchedules(services, inBatches(schedulesOf(orders)), options);
    created.push({ id, name: shop.name, token });
  }
  await fillDiagnosis(services);
  return created;
}
