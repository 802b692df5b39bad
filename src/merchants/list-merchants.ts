import type { Database } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { type MerchantState, stateOf } from './change-merchant.ts';
import { listMerchantsById, type MerchantRow } from './queries.ts';

export interface MerchantSummary {
  id: number;
  external_id: string;
  name: string;
  email: string | null;
  time_zone: string;
  currency: string;
  state: MerchantState;
  suspension_reason: string | null;
  request_limit: number | null;
  product_limit: number | null;
  created_at: string;
}

/** Oldest first. */
export async function listMerchants({ database }: { database: Database }): Promise<MerchantSummary[]> {
  const rows = await database.all(listMerchantsById);
  return rows.map(summarizeMerchant);
}

export function summarizeMerchant(row: MerchantRow): MerchantSummary {
  const { id, external_id, name, email, time_zone, currency } = row;
  const { suspension_reason, request_limit, product_limit } = row;
  return {
    ...{ id, external_id, name, email, time_zone, currency },
    state: stateOf(row),
    ...{ suspension_reason, request_limit, product_limit },
    created_at: formatTime(row.created_at),
  };
}
