import { findLastUses } from '../../api-keys/queries.ts';
import type { Reader } from '../../database/database.ts';
import { REPORT_TIMEOUT_MS } from '../../imports/import-state.ts';
import { listRunningOf } from '../../imports/queries.ts';
import { MERCHANTS_AT_ONCE } from '../../merchants/queries.ts';
import { countProductsOf } from '../../products/record/count-queries.ts';
import { recentCalls } from '../../requests/failing-calls.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { countFailingOf } from '../../webhooks/queries.ts';

/** What a merchant does with live data. */
export interface MerchantActivity {
  /** Without deleted ones. */
  products: number;
  /** To the minute, or null. */
  last_call_at: string | null;
  recent_calls: number;
  recent_failed_calls: number;
  calls_failing: boolean;
  failing_webhooks: number;
  disabled_webhooks: number;
  /** The ID of the import, or null. */
  running_import: string | null;
}

interface Services {
  database: Pick<Reader, 'all'>;
  now: () => number;
}

/** Returns the activity of each of these merchants, in the same order. */
export async function readActivity(
  services: Services,
  merchants: readonly number[],
): Promise<MerchantActivity[]> {
  const activities: MerchantActivity[] = [];
  const slices = new TimeSlices();
  for (let start = 0; start < merchants.length; start += MERCHANTS_AT_ONCE) {
    activities.push(...(await readSome(services, merchants.slice(start, start + MERCHANTS_AT_ONCE))));
    await slices.pause();
  }
  return activities;
}

async function readSome(services: Services, merchants: readonly number[]): Promise<MerchantActivity[]> {
  const { database } = services;
  const [products, uses, calls, webhooks, imports] = await Promise.all([
    database.all(countProductsOf, { merchants }),
    database.all(findLastUses, { merchants }),
    recentCalls(services, merchants),
    database.all(countFailingOf, { merchants }),
    database.all(listRunningOf, { merchants, aliveAfter: services.now() - REPORT_TIMEOUT_MS }),
  ]);
  const productsOf = byMerchant(products);
  const useOf = byMerchant(uses);
  const webhooksOf = byMerchant(webhooks);
  const importOf = byMerchant(imports);
  return merchants.map((id) => {
    const usedAt = useOf.get(id)?.last_used_at ?? null;
    const { requests = 0, failed = 0, isFailing = false } = calls.get(id) ?? {};
    return {
      products: productsOf.get(id)?.products ?? 0,
      last_call_at: usedAt === null ? null : formatTime(usedAt),
      recent_calls: requests,
      recent_failed_calls: failed,
      calls_failing: isFailing,
      failing_webhooks: webhooksOf.get(id)?.failing ?? 0,
      disabled_webhooks: webhooksOf.get(id)?.disabled ?? 0,
      running_import: importOf.get(id)?.id ?? null,
    };
  });
}

function byMerchant<Row extends { merchant_id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.merchant_id, row]));
}
