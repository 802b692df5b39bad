import { multipartBody } from '../../../support/client.ts';
import { tokensOf } from '../merchants.ts';
import type { Ask, Work } from '../work.ts';
import { apiAsk, type Case } from '../world.ts';

const BODY_BYTES = 64 * 1024;

const badTokens: Ask[] = [
  apiAsk('/products.json', 'no-such-token-{n}'),
  apiAsk('/variations/retrieve.json', 'no-such-token-{n}', { identifier: 'a' }),
];

function badRequests(): Ask[] {
  const token = tokensOf('deep')[0] ?? '';
  const post = (kind: string, contentType: string, body: string | Buffer): Ask => ({
    ...apiAsk('/campaigns.json', token),
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
    { ...apiAsk('/products.json', token), kind: 'query', path: `/v1/products.json?${names}` },
  ];
}

function asFastAsPossible(asks: readonly Ask[], connections: number): Work[] {
  return [{ does: 'ask', asks, connections, rate: null }];
}

export const requestCases: Case[] = [
  { name: 'bad-tokens', short: false, works: () => asFastAsPossible(badTokens, 32) },
  {
    name: 'bad-tokens-same-address',
    short: true,
    sameAddress: true,
    works: () => asFastAsPossible(badTokens, 16),
  },
  { name: 'bad-requests', short: true, works: () => asFastAsPossible(badRequests(), 16) },
  {
    name: 'silent-connections',
    short: false,
    works: () => [{ does: 'connect', connections: 2_000 }],
  },
  { name: 'handshakes', short: false, works: () => [{ does: 'greet', connections: 16 }] },
];
