import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startFeedEpoch } from '../../src/database/epoch.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { type ClientEvent, isForMerchants } from '../../src/events/event-types.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { type EventPage, eventSchema, untilNumbered } from '../support/events.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { documentOf } from '../support/openapi.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
  });

  const list = async (caller: { token: string }, query: Record<string, string> = {}): Promise<EventPage> => {
    const response = await service().get('/events', caller, query);
    assert.equal(response.status, 200, response.text);
    return response.json<EventPage>();
  };
  const now = async (caller: { token: string }): Promise<string> => {
    await untilNumbered(service());
    return (await list(caller, { after: 'now' })).next;
  };
  const readAll = async (caller: { token: string }, after: string, limit = '2'): Promise<ClientEvent[]> => {
    await untilNumbered(service());
    const events: ClientEvent[] = [];
    for (let page: EventPage, next = after, more = true; more; ) {
      page = await list(caller, { after: next, limit });
      events.push(...page.results);
      ({ next, more } = page);
    }
    return events;
  };
  const createCampaigns = async (caller: { token: string }, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const json = { access_token: caller.token, name, type: 'AuctionCampaign' };
      assert.equal((await service().request('POST', '/campaigns.json', { json })).status, 200);
    }
  };
  const namesOf = (events: readonly ClientEvent[]): unknown[] =>
    events.map(({ data }) => (data as { name?: string }).name);

  describe('GET /v1/events', () => {
    it('lists each event of the merchant once, in order, whatever the pages, and no event of others', async () => {
      const other = await service().newMerchant();
      const [after, otherAfter] = [await now(merchant), await now(other)];
      await createCampaigns(merchant, ['A', 'B']);
      await createCampaigns(other, ['X', 'Y', 'Z']);
      await createCampaigns(merchant, ['C', 'D', 'E']);
      for (const limit of ['1', '2', '5', '200'])
        assert.deepEqual(namesOf(await readAll(merchant, after, limit)), ['A', 'B', 'C', 'D', 'E']);
      assert.deepEqual(namesOf(await readAll(other, otherAfter)), ['X', 'Y', 'Z']);
    });

    it('has events as the OpenAPI document describes them', async () => {
      const schemas = new SchemaCheck(await documentOf(service()));
      const after = await now(merchant);
      await createCampaigns(merchant, ['F']);
      const [event] = await readAll(merchant, after);
      assert.ok(event?.type === 'campaign.created' && !event.test);
      schemas.assertValid(eventSchema(event.type), event);
    });

    it('shows a test key the events of the test side, and a live key those of the live side', async () => {
      const testKey = await service().newTestKey(merchant);
      const [after, testAfter] = [await now(merchant), await now(testKey)];
      await createCampaigns(testKey, ['Test']);
      await createCampaigns(merchant, ['Live']);
      assert.deepEqual(namesOf(await readAll(merchant, after)), ['Live']);
      const events = await readAll(testKey, testAfter);
      assert.deepEqual(namesOf(events), ['Test']);
      assert.ok(events.every(({ test }) => test));
    });

    it('leaves out the events that are only for the operator', async () => {
      const after = await now(merchant);
      await service().database.transaction(
        async (connection) =>
          recordEvent(
            { connection, merchantId: merchant.id, now: service().now() },
            { type: 'merchant.suspended', data: { name: 'Suspended' } },
          ),
        { merchantId: merchant.id },
      );
      await createCampaigns(merchant, ['G']);
      const events = await readAll(merchant, after);
      assert.deepEqual(namesOf(events), ['G']);
      assert.ok(events.every(({ type }) => isForMerchants(type)));
    });

    it('leaves out events about orders for keys without the scope orders, and goes on after them', async () => {
      const own = await service().newMerchant();
      const scopes = ['read'] as const;
      const reader = await createKey(service(), {
        merchantId: own.id,
        name: 'catalog',
        scopes,
        expiresAt: null,
      });
      await importDrafts(service(), own, [[draft('VASE')]]);
      const after = await now(own);
      await pushDrafts(service(), own, [orderDraft('O-1', { order_id: 1, product_identifier: 'VASE' })]);
      await createCampaigns(own, ['K']);
      const typesOf = (events: readonly ClientEvent[]): string[] => events.map(({ type }) => type);
      assert.ok(typesOf(await readAll(own, after)).includes('order.created'));
      const seen = typesOf(await readAll(reader, after));
      assert.ok(
        seen.includes('campaign.created') && !seen.some((type) => type.startsWith('order')),
        seen.join(),
      );
      // Changes of the catalog are announced a moment later.
      await until(async () => (await now(reader)) === (await now(own)));
    });

    it('410: not because of the deleted events of others, as long as the merchant asks', async () => {
      const quiet = await service().newMerchant();
      const first = await now(quiet);
      await createCampaigns(merchant, ['H', 'I']);
      await untilNumbered(service());
      assert.notEqual((await list(quiet, { after: first })).next, first);
      await createCampaigns(quiet, ['J']);
      assert.deepEqual(namesOf(await readAll(quiet, first)), ['J']);
    });

    it('400: the cursor of another merchant or side; 410: one from before a restored backup', async () => {
      const own = await service().newMerchant();
      const cursor = await now(own);
      for (const caller of [merchant, await service().newTestKey(own)])
        expectError(
          await service().get('/events', caller, { after: cursor }),
          400,
          /cursor of another merchant/,
        );
      await service().database.transaction((connection) => startFeedEpoch(connection));
      expectError(await service().get('/events', own, { after: cursor }), 410, /after=now/);
    });

    it('403: a key without the scope read', async () => {
      const { token } = await createKey(service(), {
        merchantId: testSideOf(merchant.id),
        name: 'webhooks only',
        scopes: ['webhooks'],
        expiresAt: null,
      });
      const headers = { authorization: `Bearer ${token}` };
      expectError(await service().request('GET', '/events', { headers }), 403, /scope read/);
    });
  });
});
