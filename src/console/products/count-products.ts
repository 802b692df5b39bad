import type { Database } from '../../database/database.ts';
import { productStatuses } from '../../products/product.ts';
import type { ProductCounts } from '../console-api.ts';
import { listCounts } from './queries.ts';

/** How many products a merchant has: in all, by state and by category. Read from counters, not counted. */
export async function countProducts(
  { database }: { database: Database },
  merchantId: number,
): Promise<ProductCounts> {
  const rows = await database.all(listCounts, [merchantId, merchantId]);
  const byStatus = new Map(rows.filter(({ category }) => category === '').map((row) => [row.status, row]));
  const count = (status: string): number => byStatus.get(status)?.products ?? 0;
  return {
    all: count(''),
    by_status: Object.fromEntries(
      productStatuses.map((status) => [status, count(status)]),
    ) as ProductCounts['by_status'],
    categories: rows
      .filter(({ category, products }) => category !== '' && products > 0)
      .map(({ category, products }) => ({ category, products }))
      .sort((one, other) => order(one.category, other.category)),
  };
}

const byName = new Intl.Collator('en');

/** By name, each category followed by those in it. */
function order(one: string, other: string): number {
  const [first = '', second = ''] = one.split(' | ');
  const [otherFirst = '', otherSecond = ''] = other.split(' | ');
  return (
    byName.compare(first, otherFirst) || compare(first, otherFirst) || byName.compare(second, otherSecond)
  );
}

/** Names that are different and sort the same are kept apart, each with its own. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
