import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limitAttempts, limits } from '../../src/console/attempts/limit-attempts.ts';
import { Client, type ClientResponse, parseResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { IMPORT_TIMEOUT_MS, untilState } from '../support/console-imports.ts';
import { expectError } from '../support/expect.ts';
import { newRandom } from '../support/seed.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { isInstalled, proxyKinds, type RunningProxy, simulatedAddresses, startProxy } from './proxies.ts';

const MB = 1024 * 1024;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const FILE = 'Content-Type: application/octet-stream\r\n';
const STREAM = 'Content-Type: application/x-ndjson\r\n';
const TOO_LARGE = /^The post data cannot be read: it is larger than 64 KiB\.$/;
const random = newRandom();

function expectProtected(response: ClientResponse): void {
  assert.match(response.header('content-security-policy'), /frame-ancestors 'none'/);
  assert.equal(response.header('strict-transport-security'), 'max-age=31536000');
  assert.equal(response.header('x-content-type-options'), 'nosniff');
  assert.equal(response.headers['access-control-allow-origin'], undefined);
}

for (const kind of proxyKinds) {
  const skip = (await isInstalled(kind))
    ? false
    : `${kind.name} is not installed: apt-get install ${kind.name.toLowerCase()}`;
  describe(`behind ${kind.name}, configured as in deploy/`, { skip }, () => {
    const cleanups: (() => unknown)[] = [];
    let [one, two]: TestService[] = [];
    let proxy: RunningProxy;
    let client: Client;
    let merchant: TestMerchant;

    before(async () => {
      const environment = {
        DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
        TLS: 'proxy',
        TRUST_PROXY: '127.0.0.1',
      };
      const shared = { name: 'sqlite', environment: async () => environment };
      [one, two] = await Promise.all([startTestService(shared), startTestService(shared)]);
      const portOf = ({ baseUrl }: TestService): number => Number(new URL(baseUrl).port);
      proxy = await startProxy({ after: (cleanup) => cleanups.push(cleanup) }, kind, [
        portOf(one),
        portOf(two),
      ]);
      client = new Client(proxy.origin, proxy.ca);
      merchant = await one.newMerchant();
    });
    after(async () => {
      client?.close();
      await two?.stop();
      await one?.close();
      for (const cleanup of cleanups) await cleanup();
    });
    const list = (): string => `/v1/products.json?access_token=${merchant.token}`;

    it('recognizes HTTPS, and responds to conditional requests', async () => {
      const response = await client.request('GET', list());
      assert.equal(response.status, 200, response.text);
      const etag = response.header('etag');
      const again = await client.request('GET', list(), { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
      assert.equal(again.header('etag'), etag);
      const requestId = { headers: { 'x-request-id': 'mine-1' } };
      assert.equal((await client.request('GET', list(), requestId)).header('x-request-id'), 'mine-1');
    });

    it('400: asks plain HTTP clients to use HTTPS, even if they claim to use it', async () => {
      const plain = new Client(proxy.plainOrigin, null);
      const response = await plain.request('GET', list(), { headers: { 'x-forwarded-proto': 'https' } });
      plain.close();
      expectError(response, 400, /^Use HTTPS/);
      assert.equal(response.headers.location, undefined);
    });

    it('passes on post data of GET requests, and paths unchanged', async () => {
      const form = { access_token: merchant.token, per_page: 2 };
      assert.equal((await client.request('GET', '/v1/products.json', { form })).status, 200);
      expectError(await client.request('GET', '/v1//products.json'), 404, /\/v1\/\/products\.json/);
    });

    it('accepts HTTP/2 at the proxy', async () => {
      const session = connectHttp2(proxy.origin, { ca: proxy.ca });
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const stream = session.request({ ':path': list() });
          const [headers] = await once(stream, 'response');
          await Array.fromAsync(stream);
          return headers[':status'];
        }),
      );
      session.close();
      assert.deepEqual(new Set(statuses), new Set([200]));
    });

    it('counts sign-in attempts by the client address, which clients cannot forge', async () => {
      const attempt = async (localAddress: string): Promise<number | undefined> => {
        const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' });
        const signIn = request(new URL('/console/api/auth/sign-in/email', proxy.origin), {
          method: 'POST',
          ca: proxy.ca,
          localAddress,
          agent: false,
          headers: {
            'content-type': 'application/json',
            'content-length': body.length,
            'sec-fetch-site': 'same-origin',
            'x-forwarded-for': `192.0.2.${random.whole(0, 249)}`,
            forwarded: 'for=192.0.2.1;proto=https',
          },
        });
        signIn.end(body);
        const [response] = await once(signIn, 'response');
        response.resume();
        return response.statusCode;
      };
      assert.equal(await attempt('127.0.0.2'), 401);
      // The rest of the ten attempts, without the time to hash a password.
      for (let time = 0; time < 9; time += 1) {
        await limitAttempts(one as TestService, limits.signInByNetwork, '127.0.0.2');
      }
      assert.equal(await attempt('127.0.0.2'), 429);
      assert.equal(await attempt('127.0.0.3'), 401);
    });

    it('serves the console: Secure cookies, the requested host, and large files streamed as they arrive', async () => {
      const service = one as TestService;
      const { email } = await newUser(service, merchant);
      const console = new ConsoleClient(client);
      const origin = { headers: { origin: proxy.origin }, site: null };
      const signedIn = await console.request('POST', '/auth/sign-in/email', {
        ...origin,
        json: { email, password: PASSWORD },
      });
      assert.equal(signedIn.status, 200, signedIn.text);
      for (const line of signedIn.headers['set-cookie'] ?? []) assert.match(line, /; Secure/i);
      assert.ok(console.cookies.size > 0);

      const row = `${JSON.stringify({ identifier: 'large', description: 'x'.repeat(MB - 50) })}\n`;
      const rows = 48;
      const upload = request(new URL('/console/api/imports?name=large.ndjson', proxy.origin), {
        method: 'POST',
        ca: proxy.ca,
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': rows * row.length,
          cookie: [...console.cookies].map((pair) => pair.join('=')).join('; '),
          ...origin.headers,
        },
      });
      const responded = once(upload, 'response');
      for (let index = 0; index < rows / 2; index += 1) upload.write(row);
      // A third of it is on the service's disk before the second half is sent.
      const uploads = join(service.config.dataDirectory, 'imports');
      await until(async () => (await bytesIn(uploads)) >= (rows / 3) * row.length);
      for (let index = 0; index < rows / 2; index += 1) upload.write(row);
      upload.end();
      const [response] = await responded;
      const { id } = JSON.parse((await Array.fromAsync(response)).join(''));
      assert.equal(response.statusCode, 200);
      await untilState(console, id, 'checked');
    });

    it('400: rejects a body that is too large before it arrives, as the service does', async () => {
      const lengths: [path: string, bytes: number, message: RegExp][] = [
        ['/v1/campaigns.json', 64 * 1024 + 1, TOO_LARGE],
        ['/v1/campaigns.json', 400 * MB, TOO_LARGE],
        ['/elsewhere/v1/products', 400 * MB, /larger than 1 MiB/],
        ['/v1/variations/update.json', MB + 1, /larger than 1 MiB/],
        ['/v1/campaigns/update', MB + 1, /larger than 1 MiB/],
        ['/', 400 * MB, TOO_LARGE],
        ['/console', MB + 1, /^The post data cannot be read: it is larger than 1 MiB\.$/],
        ['/console/api/views', 400 * MB, /larger than 1 MiB/],
        ['/console/api/auth/sign-in/email', 400 * MB, /larger than 1 MiB/],
        ['/%63onsole/api/imports/x', 400 * MB, /larger than 1 MiB/],
        ['/console/api/x%2Fv1%2Fimports', 400 * MB, /larger than 1 MiB/],
      ];
      await Promise.all(
        lengths.map(async ([path, bytes, message]) => {
          const head = `POST ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n${FORM}`;
          const response = parseResponse(await client.raw(`${head}Content-Length: ${bytes}\r\n\r\n`));
          assert.equal(response.header('connection'), 'close');
          if (path !== '/' && !path.includes('onsole')) return expectError(response, 400, message);
          assert.equal(response.status, 400);
          assert.match(response.message, message);
          expectProtected(response);
        }),
      );
    });

    it('forwards product files of any size to POST imports, which checks the token first', async () => {
      const file = `{"identifier":"large","description":"${'x'.repeat(2 * MB)}"}\n`;
      for (const path of [
        '/v1/imports',
        '/v1/imports.json',
        '/v1/products/upload',
        '/v1/products/upload.json',
      ]) {
        const sending = request(new URL(`${path}?access_token=wrong`, proxy.origin), {
          method: 'POST',
          ca: proxy.ca,
          headers: { 'content-type': 'text/csv', 'content-length': 400 * MB },
        });
        sending.on('error', () => {});
        sending.write(file.slice(0, 1000));
        const [refused] = await once(sending, 'response');
        assert.equal(refused.statusCode, 401);
        sending.destroy();
        const response = await client.request('POST', `${path}?dry_run=1&access_token=${merchant.token}`, {
          body: file,
          headers: { 'content-type': 'application/octet-stream' },
        });
        assert.equal(response.status, 202, response.text);
        const query = new URLSearchParams({
          access_token: merchant.token,
          id: response.json<{ id: string }>().id,
        });
        const retrieved = async () =>
          (await client.request('GET', `/v1/imports/retrieve?${query}`)).json<{ status: string }>();
        await until(async () => (await retrieved()).status === 'checked', { timeoutMs: IMPORT_TIMEOUT_MS });
      }
    });

    it('forwards streams of any size to the operator API, which checks the token first', async () => {
      const token = await (one as TestService).newOperatorToken();
      const record = { identifier: 'large', description: 'x'.repeat(90_000) };
      const products = `${JSON.stringify(record)}\n`.repeat(30);
      const schedule = { schedule_id: '1', product_identifier: 'large', sold: false, sale_price: null };
      const schedules = Array.from({ length: 20_000 }, (_, index) =>
        JSON.stringify({ ...schedule, schedule_id: `s-${index}`, scheduled_at: '2026-01-01T00:00:00Z' }),
      ).join('\n');
      assert.ok(products.length > MB && schedules.length > MB);
      const { external_id: id } = (
        await client.request('PUT', '/operator/v1/merchants/streams', {
          headers: { authorization: `Bearer ${token}` },
          json: { name: 'Streams' },
        })
      ).json<{ external_id: string }>();
      for (const [kind, body, result] of [
        ['products', products, 'created'],
        ['schedules', schedules, 'created'],
      ] as const) {
        const path = `/operator/v1/merchants/${id}/${kind}`;
        const headers = { 'content-type': 'application/x-ndjson' };
        const sending = request(new URL(path, proxy.origin), {
          method: 'POST',
          ca: proxy.ca,
          headers: { ...headers, 'content-length': 400 * MB, authorization: 'Bearer wrong' },
        });
        sending.on('error', () => {});
        sending.write(body.slice(0, 1000));
        const [refused] = await once(sending, 'response');
        assert.equal(refused.statusCode, 401);
        sending.destroy();
        const response = await client.request('POST', path, {
          body,
          headers: { ...headers, authorization: `Bearer ${token}` },
        });
        assert.equal(response.status, 200, response.text);
        assert.ok(response.json<Record<string, number>>()[result], response.text);
      }
    });

    it('forwards as many reasons of a moderation as the operator API accepts', async () => {
      const token = await (one as TestService).newOperatorToken();
      const response = await client.request('PUT', '/operator/v1/merchants/none/products/A/moderation', {
        body: `{"state":"ok","reasons":[]${' '.repeat(128 * 1024)}}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      expectError(response, 404, /none/);
    });

    it('forwards lists as large as the operator API accepts', async () => {
      const token = await (one as TestService).newOperatorToken();
      const response = await client.request('PUT', '/operator/v1/metadata/colors', {
        body: `{"entries":["Red"]${' '.repeat(128 * 1024)}}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      assert.equal(response.status, 200, response.text);
    });

    it('never stores request bodies on disk', async () => {
      const before = await proxy.temporaryDirectoryTimes();
      const chunks = `${'1\r\na\r\n'.repeat(30_000)}0\r\n\r\n`;
      const large = 'a'.repeat(300 * 1024);
      const posts: [path: string, headers: string, body: string][] = [
        ['/v1/campaigns.json', `${FORM}Content-Length: 65536\r\n`, 'a'.repeat(65_536)],
        ['/v1/campaigns.json', `${FORM}Content-Length: 419430400\r\n`, large],
        ['/v1/campaigns.json', `${FORM}Transfer-Encoding: chunked\r\n`, chunks],
        ['/v1/campaigns.json', `${FORM}Transfer-Encoding: chunked\r\n`, `4b000\r\n${large}\r\n0\r\n\r\n`],
        ['/console/api/views', `${FORM}Content-Length: 307200\r\n`, large],
        ['/console/api/views', `${FORM}Transfer-Encoding: chunked\r\n`, chunks],
        ['/console/api/imports?name=a', `${FILE}Content-Length: 307200\r\n`, large],
        [`/v1/imports?access_token=${merchant.token}`, `${FILE}Content-Length: 307200\r\n`, large],
        ['/operator/v1/merchants/streams/products', `${STREAM}Content-Length: 307200\r\n`, large],
        ['/console/api/%75ploads?name=a', `${FILE}Content-Length: 307200\r\n`, large],
      ];
      for (const [path, headers, body] of posts) {
        const head = `POST ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n${headers}\r\n`;
        const response = parseResponse(await client.raw([head + body.slice(0, 1000), body.slice(1000)]));
        assert.ok(
          response.status >= 400 && response.status < 500,
          `${path}: ${response.status} ${response.text}`,
        );
      }
      const session = connectHttp2(proxy.origin, { ca: proxy.ca });
      for (const path of ['/v1/campaigns.json', '/console/api/views', '/console/api/imports?name=a']) {
        const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'text/plain' });
        stream.on('error', () => {});
        const responded = once(stream, 'response');
        // Without a length.
        for (let part = 0; part < 20; part += 1) stream.write('a'.repeat(10_000));
        const [headers] = await responded;
        assert.ok(headers[':status'] >= 400 && headers[':status'] < 500, `${path}: ${headers[':status']}`);
        stream.close();
      }
      session.close();
      assert.deepEqual(await proxy.temporaryDirectoryTimes(), before);
    });

    it('protects the console under every spelling of its path, and limits its request rate', async (t) => {
      const paths = ['/%63onsole', '/c%6Fnsole/products', '/%63onsole/api/session', '/console/%61pi/session'];
      for (const path of paths) {
        const head = `GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`;
        const response = parseResponse(await client.raw(head));
        assert.ok(response.status === 200 || response.status === 401, `${path}: ${response.status}`);
        expectProtected(response);
      }
      for (const path of [
        '/console/../v1/products.json',
        '/console/%2e%2e/x',
        '/console#x',
        '/v1/../console',
      ]) {
        const head = `GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`;
        const { status } = parseResponse(await client.raw(head));
        assert.ok(status === 404 || status === 400, `${path}: ${status}`);
      }
      for (const [path, address] of [
        ['/%63onsole/api/nothing', '127.0.0.9'],
        ['/console/api/products/x%2Fv1%2Fimports', '127.0.0.8'],
      ] as const) {
        const own = new Client(proxy.origin, proxy.ca, address);
        t.after(() => own.close());
        const limited: ClientResponse[] = [];
        await Promise.all(
          Array.from({ length: 20 }, async () => {
            for (let time = 0; time < 15; time += 1) {
              const response = await own.request('GET', path);
              if (response.status === 429) limited.push(response);
            }
          }),
        );
        const [first] = limited;
        assert(first !== undefined, `no request for ${path} was rate-limited`);
        expectProtected(first);
        assert.equal(first.header('retry-after'), '1');
      }
    });

    it('502: passes on a simulated drop once, and serves other requests meanwhile', async () => {
      const services = [one, two] as [TestService, TestService];
      const { token } = await services[0].newTestKey(merchant);
      const drop = `/v1/products.json?access_token=${token}`;
      const times = 20;
      for (let time = 0; time < times; time += 1) {
        const [dropped, ...others] = await Promise.all([
          client.request('GET', drop, { headers: { 'tradepost-simulate': 'drop' } }),
          ...Array.from({ length: 4 }, () => client.request('GET', list())),
        ]);
        assert.equal(dropped.status, 502, dropped.text);
        assert.match(dropped.message, /^The connection was closed without a response/);
        for (const { status, text } of others) assert.equal(status, 200, text);
      }
      const simulated = (): number =>
        services.flatMap(({ log }) => log).filter((line) => JSON.parse(line).simulated === true).length;
      await until(() => simulated() >= times);
      assert.equal(simulated(), times);
    });

    it('408: gives up on a slow body, and serves other clients meanwhile', async () => {
      const slow = request(new URL('/v1/campaigns.json', proxy.origin), {
        method: 'POST',
        ca: proxy.ca,
        agent: false,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 1_000 },
      });
      // The connection may be closed right after the response.
      slow.on('error', () => {});
      const dripping = setInterval(() => slow.write('a'), 250);
      const [response] = await once(slow, 'response').finally(() => clearInterval(dripping));
      assert.equal(response.statusCode, 408);
      assert.match((await Array.fromAsync(response)).join(''), /did not arrive in time/);
      assert.equal((await client.request('GET', list())).status, 200);
    });

    it('reuses connections to the service', async () => {
      const ports = [one, two].map((service) => Number(new URL(service?.baseUrl ?? '').port));
      const before = await socketsOf(ports);
      for (let time = 0; time < 100; time += 1) {
        const fresh = new Client(proxy.origin, proxy.ca);
        assert.equal((await fresh.request('GET', list())).status, 200);
        fresh.close();
      }
      const more = (await socketsOf(ports)).difference(before);
      assert.ok(more.size < 20, `${more.size} sockets for 100 requests`);
    });

    it('429: limits the request rate of one address', async () => {
      const statuses = new Map<number, number>();
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          for (let time = 0; time < 40; time += 1) {
            const response = await client.request('GET', '/console/api/nothing');
            statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
            if (response.status !== 429) continue;
            assert.match(response.message, /^Too many requests from this address/);
            assert.equal(response.header('retry-after'), '1');
            expectProtected(response);
          }
        }),
      );
      assert.ok((statuses.get(429) ?? 0) > 0 && statuses.size === 2, JSON.stringify([...statuses]));
    });

    it('429: addresses of one IPv6 subscriber share a limit, and those of different subscribers do not', async (t) => {
      let rejected = 0;
      const requestFrom = async (locals: { local: string }[], maximum: number): Promise<void> => {
        await Promise.all(
          locals.map(async ({ local }) => {
            const own = new Client(proxy.origin, proxy.ca, local);
            t.after(() => own.close());
            for (let time = 0; time < maximum && rejected === 0; time += 1) {
              if ((await own.request('GET', '/console/api/nothing')).status === 429) rejected += 1;
            }
          }),
        );
      };
      await requestFrom(simulatedAddresses.ofMany, 60);
      assert.equal(rejected, 0);
      // Each sends fewer than it could send alone.
      await requestFrom(simulatedAddresses.ofOne, 100);
      assert.ok(rejected > 0);
    });

    it('serves every request within two attempts while one of two services stops, and responds 503 without both', async () => {
      // A rate-limited client has its full allowance again after a second with few requests.
      let successes = 0;
      const isUnlimited = async (): Promise<boolean> => {
        successes = (await client.request('GET', list())).status === 429 ? 0 : successes + 1;
        return successes === 5;
      };
      await until(isUnlimited, { intervalMs: 250, message: 'the client is still rate-limited' });
      let requests = 0;
      let isRunning = true;
      const clients = Array.from({ length: 4 }, async () => {
        while (isRunning) {
          // HAProxy closes a client's connection if the service's was reset. HTTP clients then retry.
          const response = await client.request('GET', list()).catch(() => client.request('GET', list()));
          assert.equal(response.status, 200, response.text);
          requests += 1;
          // Below the limit for one address.
          await pause(40);
        }
      });
      const untilRequests = async (more: number): Promise<void> => {
        const enough = requests + more;
        // Also fails as soon as one of the clients does.
        await Promise.race([until(() => requests >= enough, { timeoutMs: 60_000 }), Promise.all(clients)]);
      };
      await untilRequests(40);
      await two?.stop();
      await untilRequests(100);
      isRunning = false;
      await Promise.all(clients);
      await one?.stop();
      const response = await client.request('GET', list());
      expectError(response, 503, /^The service is temporarily unavailable/);
      assert.equal(response.header('retry-after'), '1');
    });

    it('logs the client, path and status, and never a token', async () => {
      let written = '';
      const expected = [
        /127\.0\.0\.2\S* .*POST \/console\/api\/auth\/sign-in\/email"? 401/,
        /GET \/v1\/products\.json"? 200/,
      ];
      const isWritten = async (): Promise<boolean> => {
        written = await proxy.readLogs();
        return expected.every((line) => line.test(written));
      };
      await until(isWritten, { message: () => written.slice(-2000) });
      assert.equal(written.includes(merchant.token), false);
    });
  });
}

async function bytesIn(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(directory)).map(
      async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Open or recently closed, between the proxy and these ports. */
async function socketsOf(ports: number[]): Promise<Set<string>> {
  const ends = ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
  const pairs = rows.map((row) => row.trim().split(/\s+/).slice(1, 3));
  return new Set(
    pairs
      .filter((pair) => ends.some((end) => pair.some((side) => side.endsWith(end))))
      .map((pair) => pair.toSorted().join()),
  );
}
