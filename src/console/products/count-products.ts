import type { Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { type ProductStatus, productStatuses } from '../../products/record/product.ts';
import { countByStatus, findMatches, type Search } from '../../products/search/find-matches.ts';
import type { ProductCounts } from '../catalog-api.ts';
import { listCounts } from './queries.ts';

/** Counts a merchant's products. Reads at most nine counters. */
export async function countProducts(
  { database }: { database: Pick<Reader, 'all'> },
  merchantId: number,
): Promise<ProductCounts> {
  const rows = await database.all(listCounts, { merchantId });
  return withTotal(new Map(rows.map(({ status, products }) => [status, products])));
}

/** @throws {QueueFull} if too many of this merchant's expensive reads are waiting */
export async function countMatches(
  { offLoop }: { offLoop: OffLoopReads },
  search: Omit<Search, 'status'>,
): Promise<ProductCounts> {
  const { merchantId } = search;
  return await offLoop.snapshot(merchantId, async (reader) => {
    const live = await findMatches(reader, { ...search, status: undefined });
    const deleted = await findMatches(reader, { ...search, status: 'deleted' });
    const [counts, deletedCounts] = await Promise.all([
      countByStatus(reader, merchantId, live),
      countByStatus(reader, merchantId, deleted),
    ]);
    return withTotal(counts.set('deleted', deletedCounts.get('deleted') ?? 0));
  });
}

/** The total leaves out deleted products. */
function withTotal(counts: ReadonlyMap<string, number>): ProductCounts {
  const entries = productStatuses.map((status): [ProductStatus, number] => [status, counts.get(status) ?? 0]);
  const all = entries.reduce((sum, [status, count]) => (status === 'deleted' ? sum : sum + count), 0);
  return { all, by_status: Object.fromEntries(entries) as ProductCounts['by_status'] };
}
