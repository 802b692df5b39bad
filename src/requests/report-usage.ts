import { formatKeyId } from '../api-keys/key-id.ts';
import { listKeysByMerchant } from '../api-keys/queries.ts';
import type { Reader } from '../database/database.ts';
import { sidesSeenFrom } from '../database/sides.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { Usage, UsageReport } from './failed-request.ts';
import { listUsage } from './queries.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Reports live and test keys in this hour and the `hours - 1` before it. `key` selects one key. */
export async function reportUsage(
  { database, now }: { database: Pick<Reader, 'all'>; now: () => number },
  merchantId: number,
  { hours, key: wanted }: { hours: number; key?: string | undefined },
): Promise<UsageReport> {
  const thisHour = now() - (now() % HOUR_MS);
  const first = thisHour - (hours - 1) * HOUR_MS;
  const byHour = Array.from({ length: hours }, (_, index) => ({
    at: formatTime(first + index * HOUR_MS),
    requests: 0,
    failed: 0,
  }));
  const byEndpoint = new Map<string, Usage>();
  const byKey = new Map<string, Usage & { name: string }>();
  const byStatus = new Map<number, number>();
  for (const side of sidesSeenFrom(merchantId)) {
    const rows = await database.all(listUsage, { merchantId: side, since: first });
    const names = new Map<number, string>();
    if (rows.length > 0)
      for (const { id, name } of await database.all(listKeysByMerchant, { merchantId: side }))
        names.set(id, name);
    for (const { hour, key_id: id, endpoint, status, requests } of rows) {
      const key = formatKeyId({ merchantId: side, id });
      if (wanted !== undefined && key !== wanted) continue;
      const failed = status >= 400 ? requests : 0;
      const ofHour = byHour[(hour - first) / HOUR_MS];
      if (ofHour !== undefined) add(ofHour, requests, failed);
      add(getOrSet(byEndpoint, endpoint, { requests: 0, failed: 0 }), requests, failed);
      add(getOrSet(byKey, key, { name: names.get(id) ?? '', requests: 0, failed: 0 }), requests, failed);
      byStatus.set(status, (byStatus.get(status) ?? 0) + requests);
    }
  }
  return {
    hours: byHour,
    endpoints: mostFirst([...byEndpoint].map(([endpoint, usage]) => ({ endpoint, ...usage }))),
    keys: mostFirst([...byKey].map(([id, usage]) => ({ id, ...usage }))),
    statuses: mostFirst([...byStatus].map(([status, requests]) => ({ status, requests }))),
  };
}

function add(usage: Usage, requests: number, failed: number): void {
  usage.requests += requests;
  usage.failed += failed;
}

function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, initial: Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  map.set(key, initial);
  return initial;
}

function mostFirst<Item extends { requests: number }>(items: Item[]): Item[] {
  return items.sort((one, other) => other.requests - one.requests);
}
