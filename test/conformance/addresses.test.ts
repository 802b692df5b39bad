import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import { endpoints, readingEndpoints } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const withoutJson = (path: string): string => path.slice(0, -'.json'.length);

forEachEngine((engine) => {
  describe('below the default base path', () => {
    const service = useService(engine);

    async function newMerchantWithPot() {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('POT-1', {}, [{ identifier: 'POT-1-S' }])]]);
      return merchant;
    }

    for (const { method, path, query } of endpoints) {
      it(`200: ${method} ${path} answers the same without .json`, async () => {
        const { token } = await newMerchantWithPot();
        const sought = `?${new URLSearchParams({ ...query, access_token: token })}`;
        const [one, other] = [
          await service().request(method, path + sought),
          await service().request(method, withoutJson(path) + sought),
        ];
        assert.equal(one.status, 200, one.text);
        assert.equal(other.status, 200, other.text);
        assert.equal(one.text, other.text);
      });

      it(`404: ${path} with a trailing slash, in another letter case, or with anything before or after it`, async () => {
        const bare = withoutJson(path);
        for (const near of [
          `${path}/`,
          `${bare}/`,
          path.toUpperCase(),
          `/v1${path}`,
          `${path}x`,
          `${bare}.xml`,
          `/${path}`,
        ]) {
          expectError(await service().request(method, near), 404, /^There is nothing at .+\.$/);
        }
      });

      it(`405: any other method on ${path}, with Allow`, async () => {
        const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
        for (const url of [path, withoutJson(path)]) {
          for (const other of [
            'GET',
            'POST',
            'PUT',
            'PATCH',
            'DELETE',
            'TRACE',
            'PROPFIND',
            'QUERY',
            'LINK',
          ]) {
            if (other === method) continue;
            const answer = await service().request(other, url);
            expectError(answer, 405, new RegExp(`^${other} is not allowed on /v1${url}`));
            assert.equal(answer.headers.allow, allow);
          }
        }
      });

      it(`204: OPTIONS ${path} answers a CORS preflight, without a token`, async () => {
        for (const url of [path, withoutJson(path)]) {
          const answer = await service().request('OPTIONS', url, {
            headers: { origin: 'https://shop.example', 'access-control-request-method': method },
          });
          assert.equal(answer.status, 204);
          assert.equal(answer.headers['access-control-allow-origin'], '*');
          assert.ok(answer.header('access-control-allow-methods').split(', ').includes(method));
          const headers = answer.header('access-control-allow-headers').toLowerCase().split(', ');
          for (const header of ['content-type', 'idempotency-key', 'x-erp-name', 'if-none-match']) {
            assert.ok(headers.includes(header), header);
          }
          assert.match(answer.header('x-request-id'), /.+/);
          assert.equal(answer.bytes.length, 0);
        }
      });
    }

    for (const { path, query } of readingEndpoints) {
      it(`200: HEAD ${path} has the headers of GET and no body`, async () => {
        const { token } = await newMerchantWithPot();
        const url = `${path}?${new URLSearchParams({ ...query, access_token: token })}`;
        const get = await service().request('GET', url, { headers: { 'x-request-id': 'same' } });
        const head = await service().request('HEAD', url, { headers: { 'x-request-id': 'same' } });
        assert.equal(head.status, 200);
        assert.equal(head.bytes.length, 0);
        const same = { date: '', ratelimit: '' };
        assert.deepEqual({ ...head.headers, ...same }, { ...get.headers, ...same });
      });
    }

    it('405: HEAD where GET does not work', async () => {
      assert.equal((await service().request('HEAD', '/campaigns.json')).status, 405);
    });

    it('404: anything else, by any method, OPTIONS too', async () => {
      for (const path of [
        '/',
        '',
        '/products.json.json',
        '/../v1/products.json',
        '/products%2ejson%2f',
        '/%zz',
        '/%',
        '/*',
        '/:x',
      ]) {
        for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE', 'HEAD']) {
          const answer = await service().request(method, path);
          if (method === 'HEAD') assert.equal(answer.status, 404);
          else expectError(answer, 404, /^There is nothing at .+\.$/);
        }
      }
      expectError(await service().client.request('GET', '/v2'), 404, 'There is nothing at /v2.');
      expectError(
        await service().client.request('GET', '/products.json'),
        404,
        /nothing at \/products\.json/,
      );
    });

    it('200: an address in absolute form, as proxies send it, is the same address', async () => {
      const { token } = await service().newMerchant();
      const answer = await service().client.request(
        'GET',
        `${service().baseUrl}/products.json?access_token=${token}`,
      );
      assert.equal(answer.status, 200, answer.text);
    });
  });

  describe('below another base path', () => {
    const service = useService(engine, { environment: { BASE_PATH: '/merchant_api/v1' } });

    it('200: the four endpoints are there, and nowhere else', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('POT-1', {}, [{ identifier: 'POT-1-S' }])]]);
      for (const { method, path, query } of endpoints) {
        const sought = `?${new URLSearchParams({ ...query, access_token: merchant.token })}`;
        assert.equal((await service().request(method, path + sought)).status, 200);
        assert.equal((await service().client.request(method, `/v1${path}${sought}`)).status, 404);
        assert.equal((await service().client.request(method, `${path}${sought}`)).status, 404);
      }
    });

    it('200: Link names pages below it', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
      const answer = await service().get('/products.json', merchant, { per_page: '1' });
      assert.match(answer.header('link'), /^<\/merchant_api\/v1\/products\.json\?/);
    });
  });
});
