import type { Reader } from '../../database/database.ts';
import type { Product } from '../../products/record/product.ts';
import type { CampaignProducts } from '../catalog-api.ts';
import { listProductsOfCampaign } from './queries.ts';

/** Sorts after every internal id. */
const END = Number.MAX_SAFE_INTEGER;
/** Larger records are not parsed, because that would block the event loop. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Newest first, starting after the product `before`. Campaigns with the same name share their products. */
export async function listCampaignProducts(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  { name, before = END, limit }: { name: string; before?: number | undefined; limit: number },
): Promise<CampaignProducts> {
  const place = { merchantId, name, before, maxBytes: MAX_RECORD_BYTES, limit: limit + 1 };
  const rows = await database.all(listProductsOfCampaign, place);
  const products = rows.slice(0, limit).map(({ record, ...product }) => {
    const fields: Pick<Product, 'title' | 'primary_image'> | null = record && JSON.parse(record);
    return { ...product, title: fields?.title ?? null, primary_image: fields?.primary_image ?? null };
  });
  return { products, next: rows.length > limit ? (products.at(-1)?.internal_id ?? null) : null };
}
