import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService } from '../support/service.ts';

const run = promisify(execFile);

/** Counts the loaded OpenTelemetry modules, first without tracing and then with it. */
const COUNT_LOADED = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire(import.meta.url);
  const count = () => Object.keys(cache).filter((path) => /fastify.otel|exporter-trace/.test(path)).length;
  await import('./src/commands/serve-alone.ts');
  const before = count();
  await import('./src/observability/tracing.ts');
  console.log(JSON.stringify([before, count()]));`;

interface Span {
  name: string;
  kind: number;
  traceId: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Receives spans as OTLP over HTTP in JSON. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(`${request.url} ${Buffer.concat(await Array.fromAsync(request)).toString()}`);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      JSON.parse(body.slice(body.indexOf(' '))).resourceSpans.flatMap(
        ({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) => scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    spans,
    [Symbol.dispose]: () => void server.close(),
  };
}

it('sends a span for each request, including cached ones, and no token', async () => {
  using collector = await startCollector();
  const service = await startTestService(sqlite, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const merchant = await service.newMerchant();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const path = `/products.json?access_token=${merchant.token}`;
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  for (let time = 0; time < 5; time += 1) {
    assert.equal((await service.request('GET', path, { headers })).status, 200);
  }
  const secret = 'not-a-token-but-secret';
  expectError(await service.get('/products.json', { token: secret }), 401, /not valid/);
  expectError(await service.get('/products.json', merchant, { page: secret }), 400, /^page: /);
  expectError(await service.request('GET', `/${secret}`), 404, /nothing at/);
  // The last spans are sent before the service stops.
  await service.close();
  assert.ok(collector.bodies.every((body) => body.startsWith('/v1/traces ')));
  const requests = collector.spans().filter(({ kind }) => kind === 2);
  assert.deepEqual(
    requests.map(({ name }) => name).sort(),
    ['GET (none)', ...Array<string>(7).fill('GET /v1/products.json')].sort(),
  );
  assert.equal(requests.filter((span) => span.traceId === traceId).length, 5);
  const statuses = requests.flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === 'http.response.status_code').map(({ value }) => value.intValue),
  );
  assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 200, 400, 401, 404]);
  const sent = collector.bodies.join();
  assert.match(sent, /"service.name","value":\{"stringValue":"tradepost"\}/);
  for (const word of [merchant.token, secret, 'access_token']) assert.ok(!sent.includes(word), word);
});

it('leaves no timer after the service has stopped', async () => {
  using collector = await startCollector();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const service = await startTestService(sqlite, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  await service.close();
  assert.equal(timers(), before);
});

it('loads no OpenTelemetry modules without a collector', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', COUNT_LOADED]);
  const [before, after] = JSON.parse(stdout);
  assert.equal(before, 0);
  assert.ok(after > 0);
});
