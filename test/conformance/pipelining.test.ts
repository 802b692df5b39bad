import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { converse } from '../torture/fuzz/connection.ts';

const PRODUCTS = 700;
const REQUESTS = 300;
const AT_ONCE = 6;

describe('pipelined requests', () => {
  const service = useService(sqlite);

  it('responds to all pipelined requests, in order', async () => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: PRODUCTS }, (_, index) => draft(`p-${index}`));
    await importDrafts(service(), merchant, [drafts]);
    // One response in three does not fit the socket's buffer, so later responses have to wait.
    const queries = [
      (number: number) => `per_page=${PRODUCTS - (number % 50)}`,
      () => 'page=x',
      () => 'per_page=1',
    ];
    const sent: number[] = [];
    const responded: number[] = [];
    const lost: string[] = [];
    const target = {
      port: Number(new URL(service().baseUrl).port),
      ca: readFileSync(join(service().environment.DATA_DIR, 'tls-cert.pem'), 'utf8'),
    };
    const next = (): { number: number; bytes: Buffer; isHead: boolean } | undefined => {
      const number = sent.length;
      if (number === REQUESTS) return undefined;
      sent.push(number);
      const query = `access_token=${merchant.token}&${queries[number % queries.length]?.(number)}`;
      const lines = [`GET /v1/products.json?${query} HTTP/1.1`, 'Host: x', `X-Request-Id: ${number}`];
      return { number, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), isHead: false };
    };
    const exchange = {
      next,
      responded: (_: unknown, { head }: { head: string }) =>
        responded.push(Number(/\r\nx-request-id: (\d+)/i.exec(head)?.[1])),
      skipped: ({ number }: { number: number }) => lost.push(`no response to ${number}`),
      outOfSync: () => lost.push('bytes that do not begin a response'),
      failed: ({ number }: { number: number }, reason: string) => lost.push(`${number}: ${reason}`),
    };
    await converse(target, exchange, AT_ONCE);
    assert.deepEqual(lost, []);
    assert.deepEqual(responded, sent);
  });
});
