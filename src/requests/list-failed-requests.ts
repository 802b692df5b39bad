import { formatKeyId } from '../api-keys/key-id.ts';
import { listKeysByMerchant } from '../api-keys/queries.ts';
import type { Reader } from '../database/database.ts';
import { sidesSeenFrom } from '../database/sides.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { FailedRequest, FailedRequestList, FailureFilter, RefusedKey } from './failed-request.ts';
import { countRefusals, listFailedRequests } from './queries.ts';
import { FAILURES_MS, USAGE_MS } from './retention.ts';

interface Services {
  database: Pick<Reader, 'all'>;
  now: () => number;
}

/**
 * Lists failed calls of the last seven days with live and test keys, newest first, after the call `before`.
 * There are never more than 2,000, so they are filtered here.
 */
export async function listFailures(
  { database, now }: Services,
  merchantId: number,
  { before, limit, ...filter }: FailureFilter & { before?: string | undefined; limit: number },
): Promise<FailedRequestList> {
  const since = now() - FAILURES_MS;
  const all: FailedRequest[] = [];
  for (const side of sidesSeenFrom(merchantId)) {
    const rows = await database.all(listFailedRequests, { merchantId: side, since });
    for (const { key_id: id, at, parameters, ...row } of rows) {
      const key = formatKeyId({ merchantId: side, id });
      all.push({ ...row, key, at: formatTime(at), parameters: JSON.parse(parameters) as string[] });
    }
  }
  all.sort((one, other) => (one.id < other.id ? 1 : -1));
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const matching = all.filter(
    (request) =>
      (before === undefined || request.id < before) &&
      wanted.every(([name, value]) => request[name as keyof FailureFilter] === value),
  );
  const requests = matching.slice(0, limit);
  return {
    requests,
    next: matching.length > limit ? (requests.at(-1)?.id ?? null) : null,
    statuses: [...new Set(all.map(({ status }) => status))].sort((one, other) => one - other),
    keys: [...new Set(all.map(({ key }) => key))].sort(),
    paths: [...new Set(all.map(({ path }) => path))].sort(),
  };
}

/** Of the last 30 days, most calls first. */
export async function listRefusedKeys(
  { database, now }: Services,
  merchantId: number,
): Promise<RefusedKey[]> {
  const refused: RefusedKey[] = [];
  for (const side of sidesSeenFrom(merchantId)) {
    const counts = await database.all(countRefusals, { merchantId: side, since: now() - USAGE_MS });
    if (counts.length === 0) continue;
    const keys = await database.all(listKeysByMerchant, { merchantId: side });
    for (const { key_id: id, requests } of counts) {
      const key = keys.find((one) => one.id === id);
      if (key === undefined) continue;
      const isExpired = key.expires_at !== null && key.expires_at <= now();
      const reason = key.revoked_at !== null ? 'revoked' : isExpired ? 'expired' : 'valid';
      const since = key.revoked_at ?? (isExpired ? key.expires_at : null);
      refused.push({
        id: formatKeyId({ merchantId: side, id }),
        name: key.name,
        reason,
        since: since === null ? null : formatTime(since),
        requests: Number(requests),
      });
    }
  }
  return refused.sort((one, other) => other.requests - one.requests);
}
