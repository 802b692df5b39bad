import type { Overview, ProductPageView } from '../../src/console/catalog-api.ts';
import { type Product, productFields } from '../../src/products/record/product.ts';
import { call, callVersion } from '../server/call.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { ServerError } from '../server/server-error.ts';

/** A product at one time. `etag` names this version in writes. */
export interface ProductVersion {
  product: Product;
  etag: string;
}

/** Thrown if a write expected another version of the product than the current one. */
export class ProductChanged extends Error {
  override name = 'ProductChanged';
  readonly current: ProductVersion;

  constructor(message: string, current: ProductVersion) {
    super(message);
    this.current = current;
  }
}

export async function readProduct(internalId: string, signal?: AbortSignal): Promise<ProductVersion> {
  const options = signal === undefined ? {} : { signal };
  return versionOf(await callVersion('retrieveProduct', { internal_id: internalId }, options));
}

function versionOf({ body: product, etag }: { body: Product; etag: string }): ProductVersion {
  return { product, etag };
}

const operations = {
  enable: 'enableProduct',
  enable_catalog_only: 'enableProductCatalogOnly',
  disable: 'disableProduct',
  delete: 'deleteProduct',
} as const;
export type ProductAction = keyof typeof operations;

/**
 * Changes a product, or carries out an action on it. All views then show the new version.
 * @throws {ProductChanged} if the product is no longer the given version; then nothing was written
 */
export async function writeProduct(
  { product, etag: ifMatch }: ProductVersion,
  write: { changes: Record<string, unknown> } | { action: ProductAction },
): Promise<ProductVersion> {
  const { internal_id, identifier } = product;
  try {
    const written =
      'changes' in write
        ? await callVersion('updateProduct', { ...write.changes, internal_id }, { ifMatch })
        : await callVersion(operations[write.action], { identifier }, { ifMatch });
    const version = versionOf(written);
    showProduct(version);
    return version;
  } catch (error) {
    if (!(error instanceof ServerError) || error.status !== 412) throw error;
    const message = 'The product has changed since you opened it.';
    throw new ProductChanged(message, await readProduct(String(internal_id)));
  }
}

/** Creates a deleted product again, as it was. */
export async function restoreProduct(product: Product): Promise<ProductVersion> {
  const fields = Object.entries(productFields).flatMap(([name, { owner }]) =>
    owner === 'merchant' && name !== 'variations' ? [[name, product[name as keyof Product]]] : [],
  );
  const variations = product.variations
    .filter(({ deleted_at: deleted }) => deleted === null)
    .map(({ identifier, size, color, quantity }) => ({ identifier, size, color, quantity }));
  const stock = variations.length > 0 ? { variations } : { available_quantity: product.available_quantity };
  const restored = await createProduct({ ...Object.fromEntries(fields), ...stock });
  if (product.catalog_only_at === null) return restored;
  return await writeProduct(restored, { action: 'enable_catalog_only' });
}

/** Creates a product. */
export async function createProduct(body: Record<string, unknown>): Promise<ProductVersion> {
  const version = versionOf(await callVersion('createProduct', body));
  showProduct(version);
  return version;
}

/** Enables, disables or deletes a variation of a product. All views then show the product's new version. */
export async function writeVariation(
  product: Product,
  identifier: string,
  action: 'enable' | 'disable' | 'delete',
): Promise<ProductVersion> {
  await call(`${action}Variation`, { identifier });
  return await readAgain(product);
}

async function readAgain({ internal_id: id }: Product): Promise<ProductVersion> {
  const version = await readProduct(String(id));
  showProduct(version);
  return version;
}

/** Creates a deleted variation again, as it was then. Resolves to the product's new version. */
export async function restoreVariation(product: Product, identifier: string): Promise<ProductVersion> {
  const { variations } = (await readProduct(String(product.internal_id))).product;
  const deleted = variations.find((variation) => variation.identifier === identifier);
  const { size = null, color = null, quantity = null } = deleted ?? {};
  const body = { product_identifier: product.identifier, identifier, size, color, quantity };
  await call('createVariation', body);
  // Deleting sets both times, unless the variation was disabled before.
  const wasDisabled = deleted !== undefined && ![null, deleted.deleted_at].includes(deleted.disabled_at);
  return wasDisabled ? await writeVariation(product, identifier, 'disable') : await readAgain(product);
}

/** Shows a version in all lists and on its own page, and lets figures that depend on it load again. */
export function showProduct(version: ProductVersion): void {
  const { product } = version;
  queryClient.setQueryData(['products', 'one', String(product.internal_id)], version);
  replaceInLists(product);
  const others = ['counts', 'categories', 'issues', 'history'].map((name) => ['products', name]);
  void refresh(...others, 'overview', 'audit');
  // Products may have moved within lists, which reload when they are next opened.
  void queryClient.invalidateQueries({ queryKey: ['products', 'page'], refetchType: 'none' });
}

/** Shows a product in the lists that contain it. */
export function replaceInLists(product: Product): void {
  queryClient.setQueriesData<ProductPageView>({ queryKey: ['products', 'page'] }, (list) => {
    const index = list?.results.findIndex(({ internal_id: id }) => id === product.internal_id) ?? -1;
    return list === undefined || index < 0 ? list : { ...list, results: list.results.with(index, product) };
  });
  queryClient.setQueryData<Overview>(['overview'], (overview) => {
    const listed = overview?.low_inventory ?? [];
    const index = listed.findIndex(({ internal_id: id }) => id === product.internal_id);
    const low = listed[index];
    return overview === undefined || low === undefined
      ? overview
      : { ...overview, low_inventory: listed.with(index, { ...low, product }) };
  });
}
