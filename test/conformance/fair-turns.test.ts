import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { HeldDatabase } from '../support/held-database.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** More requests than may be in progress on any engine. */
const REQUESTS = 800;

forEachEngine((engine) => {
  describe('turns of merchants', () => {
    const database = new HeldDatabase();
    const service = useService(engine, {
      environment: { TLS: 'proxy', TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'off' },
      wrap: (wrapped) => database.wrap(wrapped),
    });

    const from = (network: number): Record<string, string> => ({
      'x-forwarded-proto': 'https',
      'x-forwarded-for': `203.${network >> 8}.${network & 255}.7`,
    });

    for (const place of ['the post data', 'the header'] as const) {
      it(`200: an active merchant is served while another one sends many requests from many networks, with the token in ${place}`, async () => {
        const hostile = await service().newMerchant();
        const quiet = await service().newMerchant();
        // Until its token has been used once, it waits like one of the networks.
        await service().request('GET', `/account?access_token=${quiet.token}`, { headers: from(65_000) });
        const create = async (network: number): Promise<number> => {
          const inBody = place === 'the post data';
          const response = await service().request('POST', '/campaigns.json', {
            json: { name: 'A', type: 'B', ...(inBody && { access_token: hostile.token }) },
            headers: { ...from(network), ...(!inBody && { authorization: `Bearer ${hostile.token}` }) },
          });
          return response.status;
        };
        using hold = database.hold(hostile.id);
        const all = Array.from({ length: REQUESTS }, (_, network) => create(network));
        await until(() => database.waiting > 0);
        const settled = await Promise.all(
          Array.from({ length: 10 }, () =>
            service().request('GET', `/account?access_token=${quiet.token}`, { headers: from(65_000) }),
          ),
        );
        assert.deepEqual(
          settled.map(({ status }) => status),
          Array(10).fill(200),
        );
        hold.release();
        const statuses = await Promise.all(all);
        assert.ok(
          statuses.every((status) => status === 200 || status === 503),
          String(statuses),
        );
        assert.ok(statuses.includes(200));
      });
    }
  });
});
