import assert from 'node:assert/strict';
import type { Product } from '../../src/products/record/product.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { accepted, postAs } from '../support/writes.ts';

/** The product is POT, with two variations. */
export interface ProductShop {
  as: ConsoleClient;
  merchant: TestMerchant;
  /** The path of the product's page. */
  path: string;
  read: () => Promise<Product>;
  change: (form: Record<string, string>) => Promise<void>;
}

export async function newProductShop(service: TestService): Promise<ProductShop> {
  const merchant = await service.newMerchant();
  const fields = { title: 'Clay pot', category: 'Home', buy_now_price: 12.5, brand: 'Ümit' };
  const variations = [
    { identifier: 'POT-S', quantity: 3, size: 'S' },
    { identifier: 'POT-M', quantity: 8, size: 'M' },
  ];
  await importDrafts(service, merchant, [[draft('POT', fields, variations), draft('JUG', { title: 'Jug' })]]);
  const post = postAs(
    () => service,
    () => merchant,
  );
  const read = async (): Promise<Product> => (await allProducts(service, merchant))[0] ?? assert.fail();
  return {
    as: await signedIn(service, merchant),
    merchant,
    path: `/products/${(await read()).internal_id}`,
    read,
    change: async (form) => void accepted(await post('/products/update', { identifier: 'POT', ...form })),
  };
}

export async function untilSaved({ page }: Visitor): Promise<void> {
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
}
