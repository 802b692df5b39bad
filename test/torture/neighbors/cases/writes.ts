import { generateDrafts } from '../../../../bench/service/build-database.ts';
import { apiRequest, type Case } from '../case.ts';
import { tokensOf } from '../merchants.ts';
import type { TestRequest } from '../workload.ts';

/** As many as a batch may have. */
const LINES = 1_000;
const WORDS = ['a', 'b', 'c', 'l', 'p', 's', 't', 'linen', 'xylophone', 'b c', 's 1', 'p l 2'];

const identifiers = [...generateDrafts(LINES, 1)].map(({ identifier }) => identifier);

const withEachKey = (request: (token: string, index: number) => TestRequest): TestRequest[] =>
  tokensOf('deep').map(request);

function posted(path: string, token: string, type: string, body: string): TestRequest {
  return { ...apiRequest(path, token), method: 'POST', headers: { 'content-type': type }, body };
}

/** Each update has another price, so that it is written. */
function updates(): TestRequest[] {
  return withEachKey((token, index) =>
    posted(
      '/products/update.json',
      token,
      'application/json',
      `{"identifier":"${identifiers[index]}","retail_price":{n}}`,
    ),
  );
}

function batches(): TestRequest[] {
  const lines = identifiers.map((identifier) => `{"identifier":"${identifier}","retail_price":{n}}`);
  return withEachKey((token) =>
    posted('/products/batch.json', token, 'application/x-ndjson', lines.join('\n')),
  );
}

function imports(): TestRequest[] {
  const rows = identifiers.map((identifier) => `${identifier},{n}`);
  const file = `identifier,retail_price\n${rows.join('\n')}\n`;
  return withEachKey((token) => posted('/imports.json', token, 'text/csv', file));
}

function searches(): TestRequest[] {
  const tokens = tokensOf('deep');
  return Array.from({ length: 200 }, (_, index) =>
    apiRequest('/products/search.json', tokens[index % tokens.length] ?? '', {
      query: WORDS[index % WORDS.length] ?? '',
      page: 1 + (index % 7),
    }),
  );
}

/** First pages, which each write makes new, for several page sizes. */
function changes(): TestRequest[] {
  return withEachKey((token, index) =>
    apiRequest('/products.json', token, { changed_since: 'start', per_page: 50 * (1 + index) }),
  );
}

const keepSending = (
  name: string,
  requests: () => TestRequest[],
  { connections, short }: { connections: number; short: boolean },
): Case => ({
  name,
  short,
  workloads: () => [{ action: 'request', requests: requests(), connections, rate: null }],
});

export const writeCases: Case[] = [
  keepSending('product-updates', updates, { connections: 32, short: true }),
  keepSending('product-batches', batches, { connections: 4, short: false }),
  keepSending('imports-by-api', imports, { connections: 4, short: false }),
  keepSending('searches', searches, { connections: 32, short: true }),
  {
    name: 'changes-during-updates',
    short: true,
    workloads: () => [
      { action: 'request', requests: changes(), connections: 8, rate: null },
      { action: 'request', requests: updates(), connections: 8, rate: 100 },
    ],
  },
];
