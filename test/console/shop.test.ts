import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession, ShopSettings } from '../../src/console/console-api.ts';
import { auditLogOf } from '../support/audit.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the settings of a shop', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    it('change for the console, the API and the operator, and the change names its user', async () => {
      const merchant = await service().newMerchant();
      const owner = await signedIn(service(), merchant);
      const name = `Alpine Vases ${engine.name}`;
      const json = { name: ` ${name} `, time_zone: 'Europe/Vienna', currency: 'EUR' };
      const response = await owner.post('/shop', json);
      assert.equal(response.status, 200, response.text);
      const expected = { name, time_zone: 'Europe/Vienna', time_zone_fixed: false, currency: 'EUR' };
      assert.deepEqual(response.json<ShopSettings>(), expected);
      assert.deepEqual((await owner.get('/shop')).json<ShopSettings>(), expected);
      const session = (await owner.get('/session')).json<ConsoleSession>();
      assert.deepEqual(
        [session.merchant.name, session.merchant.time_zone, session.merchant.currency],
        [name, 'Europe/Vienna', 'EUR'],
      );
      const account = (await service().get('/account', merchant)).json<Record<string, unknown>>();
      assert.deepEqual([account.time_zone, account.currency], ['Europe/Vienna', 'EUR']);
      const token = await service().newOperatorToken();
      const seen = await service().operator('GET', `/merchants/${merchant.id}`, token);
      assert.equal(seen.json<{ name: string }>().name, name);
      const [entry] = await auditLogOf(service(), owner);
      const { user } = session;
      assert.deepEqual(
        [entry?.action, entry?.who, entry?.subject],
        [
          'merchant.changed',
          `${user.name} <${user.email}>`,
          `name ${name}, time_zone Europe/Vienna, currency EUR`,
        ],
      );
    });

    it('keep values that are not sent', async () => {
      const owner = await signedIn(service(), await service().newMerchant('Asia/Tokyo'));
      const { name } = (await owner.get('/shop')).json<ShopSettings>();
      assert.deepEqual((await owner.post('/shop', { currency: 'JPY' })).json<ShopSettings>(), {
        ...{ name, time_zone: 'Asia/Tokyo', time_zone_fixed: false, currency: 'JPY' },
      });
    });

    it('400: invalid values, named by their field, and another merchant’s name', async () => {
      const owner = await signedIn(service(), await service().newMerchant());
      const other = await signedIn(service(), await service().newMerchant());
      const before = (await owner.get('/shop')).json<ShopSettings>();
      const { name: taken } = (await other.get('/shop')).json<ShopSettings>();
      for (const [field, value] of [
        ['name', '12'],
        ['name', taken],
        ['time_zone', 'Europe/Nowhere'],
        ['currency', 'XYZ'],
        ['currency', 'EURO'],
      ] as const) {
        const response = await owner.post('/shop', { [field]: value });
        assert.equal(response.status, 400, response.text);
        const [problem] = response.json<{ fields: { name: string }[] }>().fields;
        assert.equal(problem?.name, field, response.text);
      }
      assert.deepEqual((await owner.get('/shop')).json<ShopSettings>(), before);
    });

    it('400: another time zone once there are sales, whose months are of the first one', async () => {
      const merchant = await service().newMerchant('Europe/Vienna');
      const owner = await signedIn(service(), merchant);
      await importDrafts(service(), merchant, [[draft('P')]]);
      const schedule = { schedule_id: 'S', product_identifier: 'P', scheduled_at: 0, sold: false };
      await importScheduleDrafts(service(), merchant, [
        [{ ...schedule, merchant: null, sale_price: null, rating: null }],
      ]);
      assert.equal((await owner.get('/shop')).json<ShopSettings>().time_zone_fixed, true);
      const response = await owner.post('/shop', { time_zone: 'UTC' });
      assert.equal(response.status, 400, response.text);
      assert.match(response.message, /monthly sales are of months in Europe\/Vienna/);
      assert.equal((await owner.post('/shop', { currency: 'EUR' })).status, 200);
    });
  });
});
