import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listAudit } from '../../src/audit/list-audit.ts';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { changeMerchant } from '../../src/merchants/change-merchant.ts';
import type { MerchantSummary } from '../../src/merchants/list-merchants.ts';
import type { ListedMerchant } from '../../src/operator/merchants/list-merchants.ts';
import { whoOf } from '../support/audit.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { importFileByApi } from '../support/imports.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const put = (externalId: string, json: unknown): Promise<ClientResponse> =>
    service().operator('PUT', `/merchants/${externalId}`, token, { json });
  const get = (path: string): Promise<ClientResponse> => service().operator('GET', path, token);

  describe('PUT /merchants/{external_id}', () => {
    it('creates a merchant, and returns the same one when it is repeated', async () => {
      const fields = { name: 'Alpine', email: 'a@b.test', time_zone: 'Europe/Vienna', currency: 'EUR' };
      const created = await put('seller-1', fields);
      assert.equal(created.status, 201);
      const merchant = created.json<MerchantSummary>();
      const { id, created_at, ...rest } = merchant;
      assert.deepEqual(rest, {
        external_id: 'seller-1',
        ...fields,
        state: 'active',
        suspension_reason: null,
        request_limit: null,
        product_limit: null,
      });
      const again = await put('seller-1', fields);
      assert.equal(again.status, 200);
      assert.deepEqual(again.json(), merchant);
      const { activity: _, ...retrieved } = (await get('/merchants/seller-1')).json<ListedMerchant>();
      assert.deepEqual(retrieved, merchant);

      const entries = await listAudit(service().database, id, { limit: 10 });
      assert.deepEqual(
        entries.map(({ action, subject, ...by }) => [whoOf(by), action, subject]),
        [['operator', 'merchant.created', 'Alpine']],
      );
    });

    it('a command, too, can give no reason that is too long or blank', async () => {
      const { id: merchantId } = await service().newMerchant();
      const { database, now } = service();
      const by = { merchantId, who: OPERATOR, dialect: database.dialect };
      for (const suspensionReason of ['x'.repeat(501), ' ', 'a\0b']) {
        const change = { state: 'suspended', suspensionReason } as const;
        await assert.rejects(
          runVerb({ database, now }, by, changeMerchant, change, { everyNode: true }),
          /Expected text of 1 to 500 characters/,
        );
      }
    });

    it('changes the fields that are sent, clears the email with null, and keeps all others', async () => {
      await put('seller-2', { name: 'Before', email: 'a@b.test', currency: 'EUR' });
      const changed = (await put('seller-2', { name: 'After', email: null })).json<MerchantSummary>();
      assert.equal(changed.name, 'After');
      assert.equal(changed.email, null);
      assert.equal(changed.currency, 'EUR');
      assert.equal(changed.time_zone, 'UTC');
      const entries = await listAudit(service().database, changed.id, { limit: 1 });
      assert.deepEqual(entries[0]?.subject, 'name After, email null');
    });

    it('creates one merchant if several requests create it at the same time', async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => put('seller-3', { name: 'Once' })));
      assert.deepEqual(
        responses.map(({ status }) => status).sort(),
        [200, 200, 200, 200, 200, 200, 200, 201],
      );
      assert.equal(new Set(responses.map((each) => each.json<MerchantSummary>().id)).size, 1);
    });

    it('400: names the field that is invalid', async () => {
      await put('seller-4', { name: 'Taken' });
      for (const [json, pattern] of [
        [{}, /^name: A new merchant needs a name\.$/],
        [{ name: 'Taken' }, /^name: A merchant named "Taken" already exists\.$/],
        [{ name: '12' }, /^name: "12" looks like an id/],
        [{ name: 'N', time_zone: 'Mars/Base' }, /^time_zone: "Mars\/Base" is not a time zone/],
        [{ name: 'N', currency: 'XYZ' }, /^currency: "XYZ" is not a currency/],
        [{ name: 'N', email: 'x' }, /^email: "x" is not an email/],
        [{ name: 'N', state: 'closed' }, /^state: expected one of active, suspended/],
        [{ name: 'N', external_id: 'seller-5' }, unrecognized('external_id')],
        [{ name: 'N', access_token: token }, unrecognized('access_token')],
      ] as const) {
        expectError(await put('seller-5', json), 400, pattern);
      }
      expectError(await put('-x', { name: 'N' }), 400, /^external_id: expected 1 to 100 letters/);
      expectError(
        await put('seller-5?name=N', {}),
        400,
        /^The following parameters were provided but are not recognized: name\.$/,
      );
      expectError(
        await get('/merchants/seller-5'),
        404,
        /^There is no merchant with the external ID seller-5/,
      );
    });

    it('400: the time zone of a merchant with schedules cannot change, because its months are stored', async () => {
      const { id } = (await put('seller-6', { name: 'Scheduled' })).json<MerchantSummary>();
      assert.equal((await put('seller-6', { time_zone: 'Asia/Tokyo' })).status, 200);
      await importDrafts(service(), { id }, [[draft('P')]]);
      const schedule = { schedule_id: 'S', product_identifier: 'P', scheduled_at: 0, sold: false };
      await importScheduleDrafts(service(), { id }, [
        [{ ...schedule, merchant: null, sale_price: null, rating: null }],
      ]);
      expectError(await put('seller-6', { time_zone: 'UTC' }), 400, /^time_zone: .* Asia\/Tokyo\.$/);
      assert.equal((await put('seller-6', { time_zone: 'Asia/Tokyo', name: 'Same zone' })).status, 200);
    });
  });

  describe('a suspended merchant', () => {
    it('401: its keys, live and test, on every process, until it is active again', async () => {
      const merchant = await service().newMerchant();
      const testKey = await service().newTestKey(merchant);
      const tokens = [merchant.token, testKey.token];
      const statuses = async (): Promise<number[]> => {
        const responses = await Promise.all(
          tokens.map((each) => service().get('/products.json', { token: each })),
        );
        return responses.map(({ status }) => status);
      };
      assert.deepEqual(await statuses(), [200, 200]);
      const suspended = await put(String(merchant.id), { state: 'suspended' });
      assert.equal(suspended.json<MerchantSummary>().state, 'suspended');
      assert.deepEqual(await statuses(), [401, 401]);
      await put(String(merchant.id), { state: 'active' });
      assert.deepEqual(await statuses(), [200, 200]);
    });

    it('is told the reason, which is cleared when it is active again', async () => {
      const reason = 'Orders were not shipped.';
      const fields = { name: 'Late', state: 'suspended', suspension_reason: reason };
      const created = (await put('seller-late', fields)).json<MerchantSummary>();
      assert.equal(created.suspension_reason, reason);
      const client = await signedIn(service(), created);
      const session = (await client.get('/session')).json<ConsoleSession>();
      assert.deepEqual([session.suspended, session.suspension_reason], [true, reason]);
      const refused = await client.get('/keys');
      assert.equal(refused.status, 403);
      assert.match(refused.text, /suspended the account: Orders were not shipped\./);
      const changed = await put('seller-late', { suspension_reason: null });
      assert.equal(changed.json<MerchantSummary>().suspension_reason, null);
      await put('seller-late', { suspension_reason: reason });
      const active = (await put('seller-late', { state: 'active' })).json<MerchantSummary>();
      assert.equal(active.suspension_reason, null);
      const entries = await listAudit(service().database, created.id, { limit: 10 });
      assert.deepEqual(
        entries
          .filter(({ action }) => action.startsWith('merchant.') && action !== 'merchant.created')
          .map(({ action, subject }) => [action, subject]),
        [
          ['merchant.activated', null],
          ['merchant.changed', `suspension_reason ${reason}`],
          ['merchant.changed', 'suspension_reason null'],
          ['merchant.suspended', reason],
        ],
      );
      const none = await put('seller-late', { suspension_reason: reason });
      expectError(none, 400, /^suspension_reason: Only a suspended merchant has a reason/);
    });

    it('gets no valid test key while it is suspended', async () => {
      const merchant = await service().newMerchant();
      await put(String(merchant.id), { state: 'suspended' });
      const { token } = await service().newTestKey(merchant);
      assert.equal((await service().get('/products.json', { token })).status, 401);
    });
  });

  /** Calls are counted a little later. */
  const withoutActivity = ({ activity: _, ...merchant }: ListedMerchant): MerchantSummary => merchant;

  describe('GET /merchants', () => {
    it('lists every merchant once, oldest first, however large the pages are', async () => {
      const all = (await get('/merchants?limit=200')).json<{ results: ListedMerchant[]; next: null }>();
      assert.equal(all.next, null);
      for (const limit of [1, 3]) {
        const listed: MerchantSummary[] = [];
        let after: string | null = null;
        for (;;) {
          const response = await get(`/merchants?limit=${limit}${after === null ? '' : `&after=${after}`}`);
          const page = response.json<{ results: ListedMerchant[]; next: string | null }>();
          assert.ok(page.results.length <= limit);
          listed.push(...page.results.map(withoutActivity));
          if (page.next === null) break;
          after = page.next;
        }
        assert.deepEqual(listed, all.results.map(withoutActivity));
      }
      expectError(await get('/merchants?after=nobody'), 400, /^after: not a complete cursor/);
    });
  });

  describe('the limits of a merchant', () => {
    it('429: each of its keys, live and test, sends as many requests a minute as the operator says', async () => {
      const merchant = await service().newMerchant();
      const testKey = await service().newTestKey(merchant);
      const other = await service().newMerchant();
      const path = String(merchant.id);
      assert.equal((await put(path, { request_limit: 3 })).json<MerchantSummary>().request_limit, 3);
      const later = await service().newTestKey(merchant);
      for (const token of [merchant.token, testKey.token, later.token]) {
        for (let sent = 0; sent < 3; sent += 1) {
          const response = await service().get('/products.json', { token });
          assert.equal(response.status, 200, response.text);
          assert.equal(response.headers['ratelimit-policy'], '"key";q=3;w=60');
        }
        const refused = await service().get('/products.json', { token });
        assert.equal(refused.status, 429, refused.text);
      }
      assert.equal((await service().get('/products.json', other)).status, 200);
      await put(path, { request_limit: null });
      assert.equal((await service().get('/products.json', merchant)).status, 200);
    });

    it('400: a product more than the merchant may have, also of an import, until one is deleted', async () => {
      const merchant = await service().newMerchant();
      await put(String(merchant.id), { product_limit: 2 });
      const create = (identifier: string): Promise<ClientResponse> =>
        service().request('POST', '/products.json', {
          json: { access_token: merchant.token, identifier, title: 'Pot' },
        });
      assert.equal((await create('P-1')).status, 200);
      const batch = await service().request('POST', '/products/batch', {
        headers: { authorization: `Bearer ${merchant.token}` },
        json: ['P-2', 'P-3', 'P-1'].map((identifier) => ({ identifier, title: 'New' })),
      });
      const results = batch.json<{ results: { result: string }[] }>().results;
      assert.deepEqual(
        results.map(({ result }) => result),
        ['created', 'rejected', 'updated'],
        batch.text,
      );
      expectError(
        await create('P-4'),
        400,
        /^identifier: the merchant may have at most 2 products; delete some/,
      );
      const upload = await importFileByApi(service(), merchant, 'identifier,title\nP-2,Newer\nP-5,Pot\n');
      assert.deepEqual([upload.updated, upload.rejected], [1, 1]);
      const json = { access_token: merchant.token, identifier: 'P-1' };
      assert.equal((await service().request('POST', '/products/delete.json', { json })).status, 200);
      assert.equal((await create('P-4')).status, 200);
      expectError(await create('P-1'), 400, /^identifier: the merchant may have at most 2 products/);
      await put(String(merchant.id), { product_limit: null });
      assert.equal((await create('P-1')).status, 200);
      const entries = await listAudit(service().database, merchant.id, { limit: 1 });
      assert.equal(entries[0]?.subject, 'product_limit null');
    });
  });
});
