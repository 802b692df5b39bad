import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

const LINE = ['level', 'time', 'reqId', 'key', 'method', 'route', 'status', 'ms', 'address', 'msg'];

it('logs each request in one line without parameters or tokens', async (t) => {
  const service = await startTestService(sqlite, {
    environment: { TRUST_PROXY: '127.0.0.1' },
  });
  t.after(() => service.close());
  const merchant = await service.newMerchant();
  const secret = 'Secretive-Vase';
  const before = service.log.length;
  const list = `/products.json?access_token=${merchant.token}`;
  const headers = (id: string): { headers: Record<string, string> } => ({ headers: { 'x-request-id': id } });
  for (let time = 0; time < 4; time += 1) await service.request('GET', list, headers(`list-${time}`));
  await service.request('GET', `/variations/retrieve?access_token=${merchant.token}&identifier=${secret}`);
  await service.request('POST', '/campaigns.json', {
    form: { access_token: merchant.token, name: secret, type: secret, page: secret },
  });
  for (let time = 0; time < 3; time += 1) await service.get('/products', { token: secret });
  await service.request('GET', `/${secret}`);
  await service.client.raw(`GET /v1${list} HTTP/1.1\r\nHost: x\r\n\r\n`, { tls: false });
  await service.request('GET', `${list}&page=${'1'.repeat(14_000)}`);
  await service.request('GET', '/nowhere', {
    headers: { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' },
  });
  // All requests have finished, so their lines are written.
  await service.stop();
  const lines = service.log
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request');
  assert.deepEqual(
    lines.map(({ method, route, status }) => `${method} ${route} ${status}`),
    [
      ...Array<string>(4).fill('GET /v1/products.json 200'),
      'GET /v1/variations/retrieve 404',
      'POST /v1/campaigns.json 400',
      ...Array<string>(3).fill('GET /v1/products 401'),
      'GET (none) 404',
      'GET (plain HTTP) 400',
      'GET (refused) 414',
      'GET (none) 404',
    ],
  );
  assert.deepEqual(
    lines.slice(0, 4).map(({ reqId }) => reqId),
    ['list-0', 'list-1', 'list-2', 'list-3'],
  );
  for (const line of lines) {
    assert.deepEqual(
      Object.keys(line),
      LINE.filter((name) => name !== 'key' || line.key !== undefined),
    );
    assert.ok(line.ms >= 0 && line.level === 30);
    assert.equal(
      line.key,
      line.status === 401 || /^\(|products$/.test(line.route) ? undefined : merchant.keyId,
    );
  }
  assert.equal(lines.at(-1)?.address, '198.51.100.7');
  assert.equal(lines[0]?.address, '127.0.0.1');
  const all = service.log.slice(before).join();
  for (const word of [merchant.token, secret, 'access_token']) assert.ok(!all.includes(word), word);
});

it('writes the last lines before the program exits', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const server = await ServerProcess.start(t, { DATA_DIR });
  for (let time = 0; time < 50; time += 1) await server.client.request('GET', `/v1/nowhere-${time}`);
  assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  await server.log.line('stopping');
  assert.equal(server.log.lines.filter((line) => line.includes('"msg":"request"')).length, 50);
});
