import assert from 'node:assert/strict';
import type { ListedChange, ListedChanges } from '../../../src/products/history/listed-changes.ts';
import type { ClientResponse } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import type { Cluster } from '../nodes/cluster.ts';
import { Copy } from '../nodes/copy.ts';

const PER_PAGE = 200;
const TIMEOUT_MS = 240_000;

export interface Reading {
  cluster: Pick<Cluster, 'send'>;
  token: string;
}

/** Reads all records of a type. `type` and `key` are as in `Copy`. */
export async function readRecords<Shape>(
  { cluster, token }: Reading,
  type: { type: string; key: string },
): Promise<Shape[]> {
  const copy = new Copy(cluster, token, { ...type, perPage: PER_PAGE });
  await until(() => copy.follow(), { timeoutMs: TIMEOUT_MS, intervalMs: 0 });
  const lines = copy.exported().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Shape);
}

/** Reads the whole history of a record, newest first. `type` is the first part of the path. */
export async function readHistory<Change>(
  reading: Reading,
  type: string,
  record: Record<string, string>,
): Promise<ListedChange<Change>[]> {
  const entries: ListedChange<Change>[] = [];
  for (let after: Record<string, string> = {}; ; ) {
    const query = { per_page: String(PER_PAGE), ...record, ...after };
    const response = await get(reading, `${type}/history`, query);
    const { results, cursor, more } = response.json<ListedChanges<Change>>();
    entries.push(...results);
    if (!more) return entries;
    after = { after: cursor };
  }
}

/** Calls again until a node responds. */
export async function get(
  { cluster, token }: Reading,
  path: string,
  parameters: Record<string, string> = {},
): Promise<ClientResponse> {
  const query = new URLSearchParams({ access_token: token, ...parameters });
  const response = await until(
    async () => {
      const got = await cluster.send('GET', `/v1/${path}?${query}`);
      return got?.status === 503 ? undefined : got;
    },
    { timeoutMs: TIMEOUT_MS },
  );
  assert.equal(response.status, 200, response.text);
  return response;
}
