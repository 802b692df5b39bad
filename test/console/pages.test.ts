import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { consoleRealm } from '../../src/console/auth/console-realm.ts';
import { sessionCookieName } from '../../src/console/auth/realm.ts';
import { readPages } from '../../src/console/pages/files.ts';
import { consolePages } from '../../src/console/pages/page-endpoints.ts';
import { forPages } from '../../src/console/word-errors.ts';
import { startContext } from '../../src/http/request-context.ts';
import { handleErrors } from '../../src/http/responses/handle-errors.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { MarketplaceName } from '../../src/operators/marketplace-name.ts';
import { sqlite } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { useService } from '../support/service.ts';

const script = `console.log(${JSON.stringify('x'.repeat(5000))});`;

const brand = { name: 'Tradepost', logo: null, color: null, support: null };
const pageBrand = { brand, marketplaceName: new MarketplaceName({ first: async () => undefined }, brand) };

function handleConsoleErrors(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    startContext(raw, { isHttps: true, isConsole: true });
  });
  handleErrors(app, new Metrics(), forPages);
}

async function newPages(t: TestContext, further: Record<string, Buffer> = {}): Promise<FastifyInstance> {
  const built = await temporaryDirectory(t);
  const directory = join(built, 'console');
  mkdirSync(directory);
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  writeFileSync(join(directory, 'assets/index-1a2b.js'), script);
  writeFileSync(join(directory, 'assets/notes.txt'), 'no page');
  mkdirSync(join(directory, 'pages'));
  for (const name of ['overview', 'products', 'sign-in'])
    writeFileSync(join(directory, `pages/${name}.html`), `<!doctype html><title>${name}</title>`);
  for (const [path, bytes] of Object.entries(further)) writeFileSync(join(directory, path), bytes);
  const app = Fastify();
  handleConsoleErrors(app);
  consolePages(app, pageBrand, readPages('console', built));
  return app;
}

describe('the pages of the console', () => {
  it('fall back to index.html at every URL that is not a file', async (t) => {
    const app = await newPages(t);
    for (const url of ['/console/register', '/console/nothing/here', '/console/set-password']) {
      const response = await app.inject({ url });
      assert.equal(response.statusCode, 200, url);
      assert.match(response.body, /<title>Console/);
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(response.headers['cache-control'], 'no-cache');
    }
  });

  it('are prerendered, and are the sign-in page without a session', async (t) => {
    const app = await newPages(t);
    const cookie = `other=1; ${sessionCookieName(consoleRealm)}=x`;
    for (const [path, name] of [
      ['', 'overview'],
      ['/', 'overview'],
      ['/products?status=in_stock', 'products'],
      ['/sign-in', 'sign-in'],
    ]) {
      const response = await app.inject({ url: `/console${path}`, headers: { cookie } });
      assert.match(response.body, new RegExp(`<title>${name}<`));
      assert.equal(response.headers.vary, 'Accept-Encoding, Cookie');
      const visitor = await app.inject({ url: `/console${path}` });
      assert.match(visitor.body, /<title>sign-in</);
      assert.equal(visitor.headers['cache-control'], 'no-cache');
    }
  });

  it('are sent as compressed by the build to clients that accept it', async (t) => {
    const app = await newPages(t, { 'assets/index-1a2b.js.br': brotliCompressSync(script) });
    const url = '/console/assets/index-1a2b.js';
    for (const [header, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['BR;q=0.5, gzip', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const response = await app.inject({ url, headers: { 'accept-encoding': header } });
      assert.equal(response.headers['content-encoding'], expected, header);
      if (expected === 'br') assert.deepEqual(response.rawPayload, brotliCompressSync(script));
    }
    assert.equal((await app.inject({ url: `${url}.br` })).statusCode, 404);
  });

  it('let a browser cache immutable files, in an encoding that it accepts', async (t) => {
    const app = await newPages(t);
    const url = '/console/assets/index-1a2b.js';
    const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decode] of Object.entries(decoders)) {
      const response = await app.inject({ url, headers: { 'accept-encoding': encoding } });
      assert.equal(response.headers['content-encoding'], encoding);
      assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(response.headers.vary, 'Accept-Encoding');
      assert.equal(decode(response.rawPayload).toString(), script);
    }
    const plain = await app.inject({ url });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.body, script);
    const headers = { 'if-none-match': String(plain.headers.etag) };
    const again = await app.inject({ url, headers });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
  });

  it('404: missing files, files outside the directory, and the API of the console', async (t) => {
    const app = await newPages(t);
    for (const path of [
      'assets/index-gone.js',
      'assets/../../../../etc/passwd',
      'assets/notes.txt',
      'api',
      'api/nothing',
    ]) {
      const response = await app.inject({ url: `/console/${path}` });
      assert.equal(response.statusCode, 404, path);
      assert.match(response.json().message, /nothing|not found/i);
    }
  });

  it('503: if they have not been built', async () => {
    const app = Fastify();
    handleConsoleErrors(app);
    consolePages(app, pageBrand, readPages('console', join(import.meta.dirname, 'not-built')));
    const response = await app.inject({ url: '/console' });
    assert.equal(response.statusCode, 503);
    assert.match(response.json().message, /not built/);
  });

  const service = useService(sqlite);

  for (const [status, method, path] of [
    [200, 'GET', '/console'],
    [200, 'GET', '/console/products?page=2'],
    [200, 'GET', '/console/favicon.svg'],
    [308, 'GET', '/'],
    [200, 'GET', '/console/api/options'],
    [401, 'GET', '/console/api/session'],
    [403, 'POST', '/console/api/auth/sign-out'],
    [404, 'GET', '/console/assets/gone.js'],
    [404, 'GET', '/console/%ff'],
    [404, 'GET', `/console/api/products/${'9'.repeat(700)}`],
    [404, 'POST', '/console/api/no'],
    [405, 'POST', '/console'],
    [414, 'GET', `/console/${'x'.repeat(15_000)}`],
  ] as const) {
    it(`${status}: ${method} ${path.slice(0, 40)} forbids framing, foreign scripts and referrers`, async () => {
      const response = await service().client.request(method, path);
      assert.equal(response.status, status);
      const policy = response.header('content-security-policy');
      for (const directive of [
        "default-src 'self'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
      ]) {
        assert.ok(policy.split('; ').includes(directive), directive);
      }
      assert.equal(response.header('strict-transport-security'), 'max-age=31536000');
      assert.equal(response.header('referrer-policy'), 'no-referrer');
      assert.equal(response.header('x-content-type-options'), 'nosniff');
      assert.equal(response.header('cross-origin-opener-policy'), 'same-origin');
      assert.equal(response.header('cross-origin-resource-policy'), 'same-origin');
      assert.match(response.header('permissions-policy'), /camera=\(\)/);
    });
  }

  it('are the target of a redirect from /, and are served only over HTTPS', async () => {
    const response = await service().client.request('GET', '/');
    assert.equal(response.status, 308);
    assert.equal(response.headers.location, '/console');
    const plain = await service().client.raw('GET /console HTTP/1.1\r\nHost: x\r\n\r\n', { tls: false });
    assert.match(plain, /^HTTP\/1.1 400/);
    assert.doesNotMatch(plain, /strict-transport-security/i);
  });
});
