import { statement } from '../database/database.ts';

export interface MerchantRow {
  id: number;
  name: string;
  email: string | null;
  time_zone: string;
  created_at: number;
}

const columns = 'id, name, email, time_zone, created_at';

export const findNextMerchantId = statement<{ id: number }>(
  'SELECT coalesce(max(id), 0) + 1 AS id FROM merchants',
);

export const insertMerchant = statement(
  `INSERT INTO merchants (${columns}, catalog_revision) VALUES (?, ?, ?, ?, ?, ?)`,
);

export const listMerchantsById = statement<MerchantRow>(`SELECT ${columns} FROM merchants ORDER BY id`);

export const findMerchantById = statement<MerchantRow>(`SELECT ${columns} FROM merchants WHERE id = ?`);

export const findMerchantByName = statement<MerchantRow>(`SELECT ${columns} FROM merchants WHERE name = ?`);
