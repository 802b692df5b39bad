import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { startTestService } from '../support/service.ts';

it('408: a stream of which nothing arrives for 30 seconds', async () => {
  await using service = await startTestService(sqlite);
  const token = await service.newOperatorToken();
  const { id } = await service.newMerchant();
  const head = [
    `POST /operator/v1/merchants/${id}/products HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/x-ndjson',
    'content-length: 1000',
    'connection: close',
  ];
  const started = performance.now();
  const response = await service.client.raw(`${head.join('\r\n')}\r\n\r\n{"identifier": "P"}\n`);
  assert.match(response, /^HTTP\/1\.1 408 /);
  assert.match(response, /"The request did not arrive in time; send it again\."/);
  assert.ok(performance.now() - started >= 30_000);
});
