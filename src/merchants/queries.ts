import { insertInto, statement } from '../database/database.ts';

export interface MerchantRow {
  id: number;
  name: string;
  email: string | null;
  time_zone: string;
  /** ISO 4217, such as EUR. */
  currency: string;
  created_at: number;
}

const names = [
  'id',
  'name',
  'email',
  'time_zone',
  'currency',
  'created_at',
] as const satisfies (keyof MerchantRow)[];
const columns = names.join(', ');

export const findNextMerchantId = statement<unknown, { id: number }>(
  'SELECT coalesce(max(id), 0) + 1 AS id FROM merchants',
);

export const insertMerchant = insertInto<MerchantRow>('merchants', names);

export const insertCounters = insertInto<{ merchant_id: number; catalog_revision: number }>(
  'merchant_counters',
  ['merchant_id', 'catalog_revision'],
);

export const listMerchantsById = statement<unknown, MerchantRow>(
  `SELECT ${columns} FROM merchants ORDER BY id`,
);

export const findMerchantById = statement<{ merchantId: number }, MerchantRow>(
  `SELECT ${columns} FROM merchants WHERE id = :merchantId`,
);

export const findMerchantByName = statement<{ name: string }, MerchantRow>(
  `SELECT ${columns} FROM merchants WHERE name = :name`,
);
