import type { Database } from '../../database/database.ts';
import type { ProductLister } from '../../products/list-products.ts';
import { sorts } from '../../products/listing.ts';
import type { Product, ProductStatus } from '../../products/product.ts';
import { findRevision } from '../../products/queries.ts';

const SHOWN = 10;
const statuses: ProductStatus[] = ['low_inventory', 'sold_out'];

/** The products that are few or gone, those changed last first: the first of each state, by its index. */
export async function lowInventory(
  { database, lister }: { database: Database; lister: ProductLister },
  merchantId: number,
): Promise<Product[]> {
  const sort = sorts.updated_at_descending;
  if (sort === undefined) throw new Error('no sort by changes');
  const { revision = 0 } = (await database.first(findRevision, [merchantId])) ?? {};
  const pages = await Promise.all(
    statuses.map((status) => {
      const listing = { merchantId, status, category: undefined, sort };
      return lister.list({ listing, page: 1, perPage: SHOWN, summary: false }, revision);
    }),
  );
  const bodies = await Promise.all(pages.map(({ body }) => body.formFor(undefined)));
  const products = bodies.flatMap(({ bytes }) => JSON.parse(bytes.toString()) as Product[]);
  const changed = ({ updated_at: time }: Product): number => (time === null ? -1 : Date.parse(time));
  return products
    .sort((one, other) => changed(other) - changed(one) || other.internal_id - one.internal_id)
    .slice(0, SHOWN);
}
