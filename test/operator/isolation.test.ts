import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listKeys } from '../../src/api-keys/list-keys.ts';
import type { ListedMerchant } from '../../src/operator/merchants/list-merchants.ts';
import { listHistory } from '../../src/products/history/list-history.ts';
import { listUsers } from '../../src/users/list-users.ts';
import { allProducts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { createEndpointRecords } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { inviteUser } from '../support/users.ts';
import { operatorEndpoints, untilPlacementsAreGiven } from './operator-endpoints.ts';

const NEWEST = { perPage: 50, after: undefined };

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchants: TestMerchant[];
  /** The data of the second merchant. */
  let unchanged: object;

  before(async () => {
    token = await service().newOperatorToken();
    merchants = [await service().newMerchant(), await service().newMerchant()];
    await untilPlacementsAreGiven(service(), token);
    for (const [index, merchant] of merchants.entries()) {
      // The same identifiers, so that a statement without its merchant would find both.
      await createEndpointRecords(service(), merchant);
      const user = { merchantId: merchant.id, email: `user${index}@example.com`, name: 'User' };
      await inviteUser(service(), user);
    }
    unchanged = await dataOf(other());
  });

  const other = (): TestMerchant => merchants[1] ?? assert.fail();

  const ordersOf = ({ id }: TestMerchant): Promise<ClientResponse> =>
    service().operator('GET', `/merchants/${id}/orders?changed_since=start`, token);

  async function dataOf(merchant: TestMerchant): Promise<object> {
    const { database } = service();
    const sources = { database, now: () => 0 };
    const retrieved = await service().operator('GET', `/merchants/${merchant.id}`, token);
    // Calls of the merchant are counted some seconds later.
    const { activity, ...fields } = retrieved.json<ListedMerchant>();
    return {
      merchant: { ...fields, products: activity.products },
      products: await allProducts(service(), merchant),
      history: await listHistory(database, { merchantId: merchant.id, identifier: 'POT-1' }, NEWEST),
      issues: (await service().get('/products/issues', merchant, { identifier: 'POT-1' })).json(),
      schedules: (await service().get('/schedules', merchant, { changed_since: 'start' })).json<{
        results: [];
      }>().results,
      placements: (await service().get('/placements', merchant, { changed_since: 'start' })).json<{
        results: [];
      }>().results,
      campaigns: await campaignsOf(service(), merchant),
      orders: (await ordersOf(merchant)).json<{ results: [] }>().results,
      keys: (await listKeys(sources, merchant.id)).map(({ id, name, state }) => ({ id, name, state })),
      users: await listUsers({ database }, merchant.id),
    };
  }

  describe('a call of the operator API', () => {
    for (const { method, template, path, sent } of operatorEndpoints) {
      it(`${method} ${template} changes only the merchant in its path`, async () => {
        const [merchant] = merchants;
        assert.ok(merchant !== undefined);
        const { status, text } = await service().operator(
          method,
          path.replace('nobody', String(merchant.id)),
          token,
          sent,
        );
        // One path names a key of the first merchant, and one a user who does not exist.
        const isRefused = template === '/system/backup' && status === 409;
        assert.ok([200, 201, 404].includes(status) || isRefused, text);
        assert.deepEqual(await dataOf(other()), unchanged);
      });
    }

    it('finds no key, user, campaign, product, import or order of another merchant', async () => {
      const [owner, stranger] = merchants;
      assert.ok(owner !== undefined && stranger !== undefined);
      // An earlier call has revoked the first key.
      const { token: access_token } = await service().newKey(owner);
      const form = { name: 'Own', type: 'T', access_token };
      const created = await service().request('POST', '/campaigns', { form });
      assert.equal(created.status, 200, created.text);
      const { internal_id } = created.json<{ internal_id: string }>();
      const product = { identifier: 'OWN', title: 'Own', access_token };
      assert.equal((await service().request('POST', '/products', { form: product })).status, 200);
      const shipped = { status: 'shipped', carrier: 'ups', tracking_number: '1' } as const;
      await pushDrafts(service(), owner, [orderDraft('OWN', { product_identifier: 'OWN', ...shipped })]);
      const imported = await importFileByApi(
        service(),
        { token: access_token },
        'identifier,title\nOWN,New\n',
      );
      const before = await dataOf(owner);
      for (const [method, path, json] of [
        ['DELETE', `keys/${owner.keyId}`],
        ['DELETE', 'users/user0@example.com'],
        ['PUT', `campaigns/${internal_id}/state`, { state: 'Expired' }],
        ['PUT', 'products/OWN/moderation', { state: 'banned' }],
        ['POST', `imports/${imported.id}/cancel`],
        ['POST', `imports/${imported.id}/undo`],
        ['GET', 'orders/OWN'],
        ['PUT', 'orders/OWN/state', { state: 'canceled', reason: 'x' }],
        ['PUT', 'orders/OWN/packages/ups:1', { state: 'delivered' }],
        ['PUT', 'orders/OWN/refunds/refund-1', { state: 'settled' }],
        ['POST', 'orders/OWN/redact'],
      ] as const) {
        const response = await service().operator(method, `/merchants/${stranger.id}/${path}`, token, {
          ...(json !== undefined && { json }),
        });
        assert.equal(response.status, 404, `${method} ${path}`);
      }
      assert.deepEqual(await dataOf(owner), before);
    });
  });
});
