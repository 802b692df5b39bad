import type { Database } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { listMerchantsById } from './queries.ts';

export interface MerchantSummary {
  id: number;
  name: string;
  email: string | null;
  time_zone: string;
  currency: string;
  created_at: string;
}

/** Lists all merchants, oldest first. */
export async function listMerchants({ database }: { database: Database }): Promise<MerchantSummary[]> {
  const rows = await database.all(listMerchantsById);
  return rows.map((row) => ({ ...row, created_at: formatTime(row.created_at) }));
}
