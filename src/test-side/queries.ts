import { keyInSection } from '../copy/queries.ts';
import type { Table } from '../copy/tables.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { ProductStatus } from '../products/record/product.ts';

/** Locks a merchant, like `lockMerchant`. Changes no row if its epoch is another one. */
export const lockEpoch = statement<{ merchantId: number; epoch: number }, never>(
  'UPDATE merchant_counters SET epoch = epoch WHERE merchant_id = :merchantId AND epoch = :epoch',
);

export function deleteSomeRows(table: Table): Statement<{ merchantId: number; limit: number }, never> {
  const columns = keyInSection(table).join(', ');
  return statement(
    `DELETE FROM ${table.name} WHERE merchant_id = :merchantId AND (${columns}) IN
       (SELECT ${columns} FROM ${table.name} WHERE merchant_id = :merchantId
        ORDER BY ${columns} LIMIT CAST(:limit AS bigint))`,
  );
}

export function deleteAllRows(table: Table): Statement<{ merchantId: number }, never> {
  return statement(`DELETE FROM ${table.name} WHERE merchant_id = :merchantId`);
}

export const deleteProduct = statement<{ merchantId: number; internalId: number }, never>(
  'DELETE FROM products WHERE merchant_id = :merchantId AND internal_id = :internalId',
);

export const deleteVariation = statement<{ merchantId: number; identifier: string }, never>(
  'DELETE FROM variations WHERE merchant_id = :merchantId AND identifier = :identifier',
);

/** Finds the newest product with a status. */
export const findNewestProduct = statement<
  { merchantId: number; status: ProductStatus },
  { identifier: string }
>(
  `SELECT identifier FROM products WHERE merchant_id = :merchantId AND status = :status
   ORDER BY created_at DESC, internal_id DESC LIMIT 1`,
);

/** Finds the newest product that names a campaign. Deleted products name none. */
export const findNewestProductOfCampaign = statement<
  { merchantId: number; name: string },
  { identifier: string }
>(
  `SELECT identifier FROM products WHERE merchant_id = :merchantId AND campaign_name = :name
   ORDER BY internal_id DESC LIMIT 1`,
);

export const findNewestOrder = statement<{ merchantId: number }, { order_id: number; external_id: string }>(
  `SELECT order_id, external_id FROM orders WHERE merchant_id = :merchantId
   ORDER BY order_id DESC LIMIT 1`,
);
