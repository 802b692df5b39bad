import type { Connection } from '../../database/database.ts';
import { NOTHING, type PlacementFigures } from './figures.ts';
import { insertFigures, lockProductDay, type ProductDay } from './queries.ts';

/**
 * Locks the figures of products on days, of all campaigns, until the transaction ends. Resolves to them. The
 * order of `days` is the one in which all transactions lock them.
 */
export async function lockProductDays(
  connection: Connection,
  days: readonly ProductDay[],
): Promise<(ProductDay & PlacementFigures)[]> {
  const rows = days.map(({ merchantId, productId, day }) => ({
    ...{ merchant_id: merchantId, campaign_id: '' },
    ...{ product_id: productId, day },
  }));
  connection.send(insertFigures, rows);
  const found = await connection.allEach(lockProductDay, days);
  return days.map((day, index) => ({ ...day, ...NOTHING, ...found[index]?.[0] }));
}
