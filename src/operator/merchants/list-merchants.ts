import type { Database } from '../../database/database.ts';
import { type MerchantSummary, summarizeMerchant } from '../../merchants/list-merchants.ts';
import { type MerchantSearch, searchMerchants } from '../../merchants/search-merchants.ts';
import { merchantsWithFailingCalls } from '../../requests/failing-calls.ts';
import { cutPage } from '../../sync/cut-page.ts';
import { countFailingOfAll } from '../../webhooks/queries.ts';
import { type MerchantActivity, readActivity } from './read-activity.ts';

/** `calls`: enough of the recent calls fail. `webhooks`: one fails, or the service has disabled it. */
export const failures = ['calls', 'webhooks'] as const;
export type MerchantFailure = (typeof failures)[number];

export interface ListedMerchant extends MerchantSummary {
  activity: MerchantActivity;
}

interface Services {
  database: Database;
  now: () => number;
}

/** Lists merchants, oldest first. */
export async function listMerchants(
  services: Services,
  { failing, limit, ...search }: Omit<MerchantSearch, 'among'> & { failing?: MerchantFailure | undefined },
): Promise<{ results: ListedMerchant[]; next: [id: number] | undefined }> {
  const among = failing === undefined ? undefined : await merchantsWithFailing(services, failing);
  const rows = await searchMerchants(services, { ...search, among, limit: limit + 1 });
  const { results: shown, next } = cutPage(rows, limit, ({ id }): [number] => [id]);
  const activities = await readActivity(
    services,
    shown.map(({ id }) => id),
  );
  const results = activities.flatMap((activity, index) => {
    const row = shown[index];
    return row === undefined ? [] : [{ ...summarizeMerchant(row), activity }];
  });
  return { results, next };
}

/** Returns the IDs of merchants in ascending order. */
export async function merchantsWithFailing(services: Services, failing: MerchantFailure): Promise<number[]> {
  if (failing === 'calls') return await merchantsWithFailingCalls(services);
  const rows = await services.database.all(countFailingOfAll);
  return rows.map(({ merchant_id }) => merchant_id).filter((id) => id > 0);
}
