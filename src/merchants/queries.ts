import { insertInto, statement } from '../database/database.ts';

export interface MerchantRow {
  id: number;
  name: string;
  email: string | null;
  time_zone: string;
  created_at: number;
}

const names = ['id', 'name', 'email', 'time_zone', 'created_at'];
const columns = names.join(', ');

export const findNextMerchantId = statement<{ id: number }>(
  'SELECT coalesce(max(id), 0) + 1 AS id FROM merchants',
);

export const insertMerchant = insertInto('merchants', [...names, 'catalog_revision']);

/**
 * Parameters: the merchant. Until the transaction ends, others that claim the same merchant wait: what is
 * written of its catalog and sales follows from what was read of them.
 */
export const claimMerchant = statement('UPDATE merchants SET last_key_id = last_key_id WHERE id = ?');

export const listMerchantsById = statement<MerchantRow>(`SELECT ${columns} FROM merchants ORDER BY id`);

export const findMerchantById = statement<MerchantRow>(`SELECT ${columns} FROM merchants WHERE id = ?`);

export const findMerchantByName = statement<MerchantRow>(`SELECT ${columns} FROM merchants WHERE name = ?`);
