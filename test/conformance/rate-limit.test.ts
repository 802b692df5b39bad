import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const MINUTE = 60_000;

forEachEngine((engine) => {
  describe('with RATE_LIMIT=3', () => {
    const service = useService(engine, { environment: { RATE_LIMIT: '3' } });
    const list = (key: { token: string }): Promise<Answer> => service().get('/products.json', key);
    const toNextMinute = (): number => MINUTE - (service().now() % MINUTE);

    it('429: past the limit, with the seconds to wait, and 200 after them', async () => {
      service().passTime(toNextMinute() + 20_001);
      const merchant = await service().newMerchant();
      for (let time = 0; time < 3; time += 1) assert.equal((await list(merchant)).status, 200);
      const answer = await list(merchant);
      expectError(answer, 429, /try again in 40 s/);
      assert.equal(answer.headers['retry-after'], '40');
      service().passTime(40_000 - 2);
      assert.equal((await list(merchant)).headers['retry-after'], '1');
      service().passTime(1);
      assert.equal((await list(merchant)).status, 200);
    });

    it('429: each key has a limit of its own, over all endpoints together', async () => {
      service().passTime(toNextMinute());
      const merchant = await service().newMerchant();
      const further = await service().newKey(merchant);
      for (const path of ['/products.json', '/performance/sales', '/products']) {
        assert.equal((await service().get(path, merchant)).status, 200);
      }
      const form = { access_token: merchant.token, name: 'N', type: 'T' };
      expectError(await service().request('POST', '/campaigns.json', { form }), 429, /Too many requests/);
      expectError(await service().get('/variations/retrieve.json', merchant), 429, /Too many requests/);
      assert.equal((await list(further)).status, 200);
    });

    it('401: a token that is not valid is never told of a limit', async () => {
      for (let time = 0; time < 5; time += 1) expectError(await list({ token: 'unknown' }), 401, /not valid/);
    });
  });

  describe('without RATE_LIMIT', () => {
    const service = useService(engine);

    it('200: as many as a client likes', async () => {
      const merchant = await service().newMerchant();
      for (let time = 0; time < 100; time += 1) {
        assert.equal((await service().get('/products.json', merchant)).status, 200);
      }
    });
  });
});
