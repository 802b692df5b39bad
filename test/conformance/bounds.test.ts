import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ClientResponse, parseResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const service = useService(sqlite);

/** Sends a request exactly as given. Its headers ask the service to close the connection. */
async function raw(target: string, headers: string[] = [], body = ''): Promise<ClientResponse> {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers];
  return parseResponse(await service().client.raw(`${lines.join('\r\n')}\r\n\r\n${body}`));
}

const path = '/v1/products.json';

it('414: rejects a URL that is too long, even one longer than the limit for all headers', async () => {
  expectError(await raw(`${path}?${'a'.repeat(14_000 - path.length - 1)}`), 401, /is required/);
  for (const length of [14_001, 15_500, 40_000]) {
    expectError(await raw(`${path}?${'a'.repeat(length - path.length - 1)}`), 414, /longer than 14,000/);
  }
});

it('431: rejects headers that are too large, or too many', async () => {
  const headers = (count: number): string[] =>
    Array.from({ length: count - 2 }, (_, index) => `A${index}: b`);
  expectError(await raw(path, headers(100)), 401, /is required/);
  for (const many of [headers(101), headers(1_900), [`A: ${'a'.repeat(20_000)}`]]) {
    expectError(
      await raw(path, many),
      431,
      /headers are too large: .* 16,000 bytes, including the URL, and 100/,
    );
  }
});

it('400: rejects too many parameters, wherever they are, before the token is checked', async () => {
  const named = (count: number): string =>
    Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
  const form = (body: string): string[] => [
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  expectError(await raw(`${path}?${named(1_000)}`), 401, /is required/);
  expectError(await raw(`${path}?${named(1_001)}`), 400, /more than 1,000 parameters/);
  expectError(await raw(`${path}?${named(501)}`, form(named(500)), named(500)), 400, /more than 1,000/);
  expectError(await raw(path, form(named(5_000)), named(5_000)), 400, /more than 1,000/);
});

it('400: rejects post data that is too large, by its Content-Length or while it arrives', async () => {
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const large = 'a'.repeat(64 * 1024 + 1);
  expectError(await raw(path, [type, 'Content-Length: 999999999']), 400, /larger than 64 KiB/);
  const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
  expectError(await raw(path, [type, 'Transfer-Encoding: chunked'], chunk), 400, /larger than 64 KiB/);
});

it('200 or 400: requests just under the limits are not rejected for their size', async () => {
  const { token } = await service().newMerchant();
  const rest = 'a'.repeat(13_000 - path.length);
  expectError(await raw(`${path}?access_token=${token}&status=${rest}`), 400, /^status: expected/);
  assert.equal((await raw(`${path}?access_token=${token}`)).status, 200);
});
