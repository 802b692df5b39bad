import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Config } from '../../src/config.ts';
import type { Actor } from '../../src/database/actor.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { MonthlyKeys } from '../../src/encryption/monthly-keys.ts';
import type { Rejection } from '../../src/files/parsed.ts';
import { CustomerVault } from '../../src/orders/customer/customer-vault.ts';
import { importOrders } from '../../src/orders/push/import-orders.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import { pushOrder } from '../../src/orders/push/push-order.ts';
import type { Order } from '../../src/orders/record/order.ts';
import { type Catalog, type Imported, optionsFor, parsed } from './catalog.ts';

/** A paid order of which the buyer paid 30.00 and 5.00 for shipping. */
export function orderDraft(external_id: string, fields: Partial<OrderDraft> = {}): OrderDraft {
  const fees = { buyer_fee: 3000, shipping_fee: 500 };
  return { merchant: null, external_id, available_refunds: fees, ...fields };
}

/** A service, or only what orders need of one. */
interface OrderStore extends Catalog {
  config: Pick<Config, 'encryptionKeyFile' | 'lowInventory'>;
}

/** Encrypts with the key file of the service. */
export function vaultOf({ config, database }: OrderStore): CustomerVault {
  const keys = new MonthlyKeys({ file: config.encryptionKeyFile, onCreated: () => {} });
  return new CustomerVault(keys, database.dialect);
}

/** Pushes orders as the operator does, one by one, also to a test side. */
export async function pushDrafts(
  service: OrderStore,
  merchant: { id: number },
  drafts: OrderDraft[],
): Promise<Order[]> {
  const customers = vaultOf(service);
  await customers.prepare(service.database, service.now());
  const { lowInventory } = service.config;
  const caller = { merchantId: merchant.id, who: OPERATOR, customers, lowInventory };
  const orders: Order[] = [];
  for (const draft of drafts)
    orders.push((await runVerb(service, caller, pushOrder, draft, { locksMerchant: true })).order);
  return orders;
}

/** Imports orders as if from a file. */
export async function importOrderDrafts(
  service: OrderStore,
  merchant: { id: number },
  batches: OrderDraft[][],
  { dryRun = false, who = OPERATOR }: { dryRun?: boolean; who?: Actor } = {},
): Promise<Imported> {
  const { config, database, now } = service;
  const rejections: Rejection[] = [];
  const options = await optionsFor(database, merchant, dryRun, rejections);
  const { lowInventory } = config;
  const services = { database, now, who, customers: vaultOf(service), lowInventory };
  const summary = await importOrders(services, parsed(batches), options);
  return { ...summary, rejections };
}
