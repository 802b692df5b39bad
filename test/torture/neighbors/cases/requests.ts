import { multipartBody } from '../../../support/client.ts';
import { apiRequest, type Case } from '../case.ts';
import { tokensOf } from '../merchants.ts';
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
    post('too large', form, `name=${'x'.repeat(BODY_BYTES)}`),
    post('multipart', contentType, body),
    { ...apiRequest('/products.json', token), kind: 'query', path: `/v1/products.json?${names}` },
  ];
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
  {
    name: 'silent-connections',
    short: false,
    workloads: () => [{ action: 'connect', connections: 2_000 }],
  },
  { name: 'handshakes', short: false, workloads: () => [{ action: 'handshake', connections: 16 }] },
];
