import type { Reader } from '../../database/database.ts';
import { productStatuses } from '../../products/record/product.ts';
import type { ProductCounts } from '../console-api.ts';
import { listCounts } from './queries.ts';

/** Counts a merchant's products, in total and by status. Reads at most nine counters. */
export async function countProducts(
  { database }: { database: Pick<Reader, 'all'> },
  merchantId: number,
): Promise<ProductCounts> {
  const rows = await database.all(listCounts, { merchantId });
  const byStatus = new Map(rows.map(({ status, products }) => [status, products]));
  return {
    all: byStatus.get('') ?? 0,
    by_status: Object.fromEntries(
      productStatuses.map((status) => [status, byStatus.get(status) ?? 0]),
    ) as ProductCounts['by_status'],
  };
}
