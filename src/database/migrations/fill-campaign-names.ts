import { type Connection, statement } from '../database.ts';
import { testSideOf } from '../sides.ts';

/** Few enough that records of the maximum size, about a megabyte, fit in memory. */
const PRODUCTS_PER_STEP = 200;

const listMerchants = statement<unknown, { id: number }>('SELECT id FROM merchants ORDER BY id');
/** Lists products; the record of one that names no campaign is null. */
const listProducts = statement<
  { merchantId: number; after: number; limit: number },
  { internal_id: number; record: string | null }
>(
  // The condition is not in WHERE, because PostgreSQL would then read and sort all products in each step.
  `SELECT internal_id, CASE WHEN record LIKE '%"campaign_name":"%' THEN record END AS record FROM products
   WHERE merchant_id = :merchantId AND internal_id > :after
   ORDER BY internal_id LIMIT CAST(:limit AS bigint)`,
);
const setName = statement<{ merchantId: number; internalId: number; name: string }, never>(
  'UPDATE products SET campaign_name = :name WHERE merchant_id = :merchantId AND internal_id = :internalId',
);

/** Copies the names of campaigns from the records of products that exist before the migration. */
export async function fillCampaignNames(connection: Connection): Promise<void> {
  const merchants = await connection.all(listMerchants);
  for (const merchantId of merchants.flatMap(({ id }) => [id, testSideOf(id)])) {
    for (let after = 0; ; ) {
      const rows = await connection.all(listProducts, { merchantId, after, limit: PRODUCTS_PER_STEP });
      const names = rows.flatMap(({ internal_id: internalId, record }) => {
        if (record === null) return [];
        const { campaign_name: name, deleted_at: deletedAt } = JSON.parse(record) as NamedProduct;
        return name === null || deletedAt !== null ? [] : [{ merchantId, internalId, name }];
      });
      await connection.runEach(setName, names);
      after = rows.at(-1)?.internal_id ?? after;
      if (rows.length < PRODUCTS_PER_STEP) break;
    }
  }
}

/** The fields of a product's record, which only this service writes. */
interface NamedProduct {
  campaign_name: string | null;
  deleted_at: string | null;
}
