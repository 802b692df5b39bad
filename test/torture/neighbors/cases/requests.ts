import { multipartBody } from '../../../support/client.ts';
import { apiRequest, type Case } from '../case.ts';
import { type MerchantName, tokensOf, variationOf } from '../merchants.ts';
import type { TestRequest, Workload } from '../workload.ts';

const BODY_BYTES = 64 * 1024;

const badTokens: TestRequest[] = [
  apiRequest('/products.json', 'no-such-token-{n}'),
  apiRequest('/variations/retrieve.json', 'no-such-token-{n}', { identifier: 'a' }),
];

function badRequests(): TestRequest[] {
  const token = tokensOf('deep')[0] ?? '';
  const post = (kind: string, contentType: string, body: string | Buffer): TestRequest => ({
    ...apiRequest('/campaigns.json', token),
    kind,
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
  const form = 'application/x-www-form-urlencoded';
  const names = Array.from({ length: 1_000 }, (_, number) => `p${number}=${number}`).join('&');
  const fields = Array.from({ length: 500 }, (_, number): [string, string] => [`f${number}`, 'x'.repeat(40)]);
  const { body, contentType } = multipartBody(fields);
  return [
    post('malformed', 'application/json', `{"name":"${'x'.repeat(BODY_BYTES - 100)}`),
    post('nested', 'application/json', '['.repeat(BODY_BYTES - 100)),
    post('names', form, names),
    post('escapes', form, '%41'.repeat(Math.floor((BODY_BYTES - 100) / 3))),
    ...['%&', '%ff&', '\xff&'].map((name) =>
      post(
        'malformed names',
        form,
        Buffer.from(name.repeat(Math.floor((BODY_BYTES - 100) / name.length)), 'latin1'),
      ),
    ),
    post('too large', form, `name=${'x'.repeat(BODY_BYTES)}`),
    post('multipart', contentType, body),
    { ...apiRequest('/products.json', token), kind: 'query', path: `/v1/products.json?${names}` },
    {
      ...apiRequest('/products.json', token),
      kind: 'query',
      path: `/v1/products.json?${'%&'.repeat(6_900)}`,
    },
  ];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Post data that takes long to read. It is not valid. */
function largeChange(query: string, type: string, body: string): TestRequest {
  return {
    kind: 'large change',
    method: 'POST',
    path: `/v1/products/update.json${query}`,
    headers: { 'content-type': type },
    body,
  };
}

function unknownNames(): TestRequest[] {
  const names = Array.from({ length: 49_000 }, (_, number) => [`n${number}`, 1]);
  return [largeChange('', JSON_TYPE, JSON.stringify(Object.fromEntries(names)))];
}

/** Each key sends invalid changes with as many variations or fields as there may be. */
function invalidChanges(...merchants: MerchantName[]): TestRequest[] {
  const variations = Array.from({ length: 10_000 }, (_, number) => ({
    identifier: variationOf(number),
    quantity: -1,
  }));
  const json = JSON.stringify({ identifier: 'P', variations });
  const fields = Array.from({ length: 30_000 }, (_, number) => `f${number}=1`).join('&');
  return merchants
    .flatMap(tokensOf)
    .flatMap((token) => [
      largeChange(`?access_token=${token}`, JSON_TYPE, json),
      largeChange(`?access_token=${token}`, FORM_TYPE, `identifier=P&${fields}`),
    ]);
}

/** The merchant is unknown until the post data is read, because it has the token. */
function tokensInBody(): TestRequest[] {
  return tokensOf('deep').map((token) => ({
    ...apiRequest('/products.json', token),
    method: 'POST',
    path: '/v1/products/update.json',
    headers: { 'content-type': JSON_TYPE },
    body: JSON.stringify({ access_token: token, identifier: 'no such product', title: 'x'.repeat(10_000) }),
  }));
}

function asFastAsPossible(requests: readonly TestRequest[], connections: number): Workload[] {
  return [{ action: 'request', requests, connections, rate: null }];
}

export const requestCases: Case[] = [
  { name: 'bad-tokens', short: false, workloads: () => asFastAsPossible(badTokens, 32) },
  {
    name: 'bad-tokens-same-address',
    short: true,
    sameAddress: true,
    workloads: () => asFastAsPossible(badTokens, 16),
  },
  { name: 'bad-requests', short: true, workloads: () => asFastAsPossible(badRequests(), 16) },
  { name: 'large-bodies-without-token', short: true, workloads: () => asFastAsPossible(unknownNames(), 16) },
  { name: 'large-bodies', short: true, workloads: () => asFastAsPossible(invalidChanges('deep'), 4) },
  {
    name: 'large-bodies-of-many',
    short: true,
    // A workload for each, so that all of them have requests in progress.
    workloads: () =>
      (['large', 'limit', 'deep', 'crowded'] as const).flatMap((merchant) =>
        asFastAsPossible(invalidChanges(merchant), 4),
      ),
  },
  { name: 'tokens-in-bodies', short: true, workloads: () => asFastAsPossible(tokensInBody(), 64) },
  {
    name: 'silent-connections',
    short: false,
    workloads: () => [{ action: 'connect', connections: 2_000 }],
  },
  { name: 'handshakes', short: false, workloads: () => [{ action: 'handshake', connections: 16 }] },
];
