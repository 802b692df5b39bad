import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import { type ClientResponse, parseResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { createEndpointRecords } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

forEachEngine((engine) => {
  describe('a request to the API with a session and a token', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    let owner: ConsoleClient;

    before(async () => {
      merchant = await service().newMerchant();
      await createEndpointRecords(service(), merchant);
      owner = await signedIn(service(), merchant);
    });

    const expectProgram = (response: ClientResponse, status: number): void => {
      assert.equal(response.status, status, response.text);
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.equal(response.headers['content-security-policy'], undefined);
    };

    it('401: a blank token, null, or a header without a token does not fall back to the session', async () => {
      for (const query of ['access_token', 'access_token=', 'access_token=+'])
        expectProgram(await owner.get(`/v1/products?${query}`), 401);
      for (const authorization of ['Bearer', 'Bearer ', 'bearer', 'Bearer\tx'])
        expectProgram(await owner.request('GET', '/v1/products', { headers: { authorization } }), 401);
      for (const token of ['', ' ', null]) {
        for (const description of ['A pot', 'x'.repeat(100_000)]) {
          const sent = { identifier: 'POT-1', description, access_token: token };
          expectProgram(await owner.post('/v1/products/update', sent), 401);
        }
      }
      const description = 'x'.repeat(100_000);
      const large = await owner.post('/v1/products/update?access_token=', {
        identifier: 'POT-1',
        description,
      });
      expectProgram(large, 401);
      const { description: stored } = (await owner.get('/v1/products/retrieve?identifier=POT-1')).json<{
        description: string | null;
      }>();
      assert.equal(stored, null);
    });

    it('uses the session if the Authorization header is a proxy’s', async () => {
      const headers = { authorization: 'Basic c2hvcDpzZWNyZXQ=' };
      assert.equal((await owner.request('GET', '/v1/products', { headers })).status, 200);
    });

    it('logs a call whose token is in post data that is chunked or large, as without a session', async () => {
      const other = await service().newMerchant();
      const reader = await signedIn(service(), other);
      const body = { identifier: 'NONE', title: 'x', access_token: other.token };
      for (const sites of ['Sec-Fetch-Site: same-origin\r\n', '']) {
        const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
        const text = JSON.stringify(body);
        const response = await service().client.raw(
          `POST /v1/products/update HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${cookie}\r\n${sites}` +
            'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
            `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
        );
        expectProgram(parseResponse(response), 404);
      }
      const large = { ...body, description: 'x'.repeat(100_000) };
      expectProgram(await owner.post('/v1/products/update', large), 404);
      await until(async () => {
        const { requests } = (await reader.get('/requests')).json<FailedRequestList>();
        return requests.length === 3;
      });
    });

    it('404: without a token, names what is missing to the user', async () => {
      const response = await owner.post('/v1/products/update', { identifier: 'NONE', title: 'x' });
      assert.equal(response.status, 404);
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    });
  });
});
