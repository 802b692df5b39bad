import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { EventData, ModerationReason } from '../../src/events/event-types.ts';
import type { ProductIssues } from '../../src/products/moderation/moderate-product.ts';
import type { Product } from '../../src/products/record/product.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Moderated = EventData['product.moderated'];

const REASON: ModerationReason = { code: 'image_missing', field: 'primary_image', message: 'Add an image.' };
const OTHER: ModerationReason = { code: 'counterfeit', field: null, message: 'Not by this brand.' };
const listEvents = statement<{ merchantId: number }, { type: string; revision: number; data: string }>(
  `SELECT type, revision, data FROM outbox WHERE merchant_id = :merchantId
   UNION ALL SELECT type, revision, data FROM events WHERE merchant_id = :merchantId`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchant: TestMerchant;
  before(async () => {
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
  });

  const moderate = (
    identifier: string,
    json: unknown,
    { id }: { id: number | string } = merchant,
  ): Promise<ClientResponse> =>
    service().operator('PUT', `/merchants/${id}/products/${identifier}/moderation`, token, { json });
  const issues = async (identifier: string, owner = merchant): Promise<ProductIssues> => {
    const response = await service().get('/products/issues.json', owner, { identifier });
    assert.equal(response.status, 200, response.text);
    return response.json<ProductIssues>();
  };
  const product = async (identifier: string): Promise<Product> =>
    (await service().get('/products/retrieve', merchant, { identifier })).json<Product>();
  const post = (path: string, form: Record<string, string>): Promise<ClientResponse> =>
    service().request('POST', path, { form: { ...form, access_token: merchant.token } });
  const moderations = async (identifier: string): Promise<(Moderated & { revision: number })[]> =>
    (await service().database.all(listEvents, { merchantId: merchant.id }))
      .filter(({ type }) => type === 'product.moderated')
      .map(({ data, revision }) => ({ ...(JSON.parse(data) as Moderated), revision }))
      .filter((event) => event.identifier === identifier);

  describe('PUT /merchants/{external_id}/products/{identifier}/moderation', () => {
    it('sets the status and the reasons, which the merchant sees in v1 and in the console', async () => {
      await importDrafts(service(), merchant, [[draft('A', { available_quantity: 50 })]]);
      const { internal_id } = await product('A');
      assert.deepEqual(await issues('A'), {
        identifier: 'A',
        internal_id,
        state: 'ok',
        reasons: [],
        image_problems: [],
      });
      for (const state of ['problematic', 'banned'] as const) {
        const expected = {
          ...{ identifier: 'A', internal_id, state },
          ...{ reasons: [REASON, OTHER], image_problems: [] },
        };
        const response = await moderate('A', { state, reasons: [REASON, { ...OTHER, field: undefined }] });
        assert.equal(response.status, 200, response.text);
        assert.deepEqual(response.json(), expected);
        assert.deepEqual(await issues('A'), expected);
        assert.equal((await product('A')).status, state);
        const console = await signedIn(service(), merchant);
        assert.deepEqual((await console.get('/v1/products/issues?identifier=A')).json(), expected);
      }
      const { status, text } = await moderate('A', { state: 'ok' });
      assert.equal(status, 200, text);
      assert.deepEqual(await issues('A'), {
        identifier: 'A',
        internal_id,
        state: 'ok',
        reasons: [],
        image_problems: [],
      });
      assert.equal((await product('A')).status, 'in_stock');
    });

    it('finds a product whose identifier has periods, as it is and percent-encoded', async () => {
      await importDrafts(service(), merchant, [[draft('6631.A'), draft('...')]]);
      for (const path of ['6631.A', '6631%2EA', '...', '%2E%2E%2E'])
        assert.equal((await moderate(path, { state: 'banned', reasons: [REASON] })).status, 200, path);
      for (const path of ['.', '..', '%2E', '%2e%2e'])
        assert.equal((await moderate(path, { state: 'ok' })).status, 404, path);
    });

    it('is listed as a change and recorded as an event, once however often it is repeated', async () => {
      await importDrafts(service(), merchant, [[draft('B')]]);
      const start = await service().get('/products', merchant, { changed_since: 'start', per_page: '1000' });
      const { cursor } = start.json<{ cursor: string }>();
      for (let times = 0; times < 3; times += 1) await moderate('B', { state: 'banned', reasons: [REASON] });
      await moderate('B', { state: 'banned', reasons: [OTHER] });
      const changes = await service().get('/products', merchant, { changed_since: cursor });
      const { results } = changes.json<{ results: Product[] }>();
      assert.deepEqual(
        results.map(({ identifier, status }) => [identifier, status]),
        [['B', 'banned']],
      );
      const events = await moderations('B');
      assert.deepEqual(
        events.map(({ state, previous_state, reasons }) => [previous_state, state, reasons]).sort(),
        [
          ['ok', 'banned', [REASON]],
          ['banned', 'banned', [OTHER]],
        ].sort(),
      );
      assert.ok(events.every(({ revision }) => revision > 0));
    });

    it('survives whatever the merchant changes, and wins over a status that a file stated', async () => {
      await importDrafts(service(), merchant, [[draft('C', { status: 'in_stock', available_quantity: 0 })]]);
      await moderate('C', { state: 'banned', reasons: [REASON] });
      for (const [path, form] of [
        ['/products/update', { identifier: 'C', available_quantity: '9' }],
        ['/products/disable', { identifier: 'C' }],
        ['/products/enable', { identifier: 'C' }],
      ] as const) {
        assert.equal((await post(path, form)).json<Product>().status, 'banned');
        assert.deepEqual((await issues('C')).reasons, [REASON]);
      }
      await post('/products/delete', { identifier: 'C' });
      assert.equal((await product('C')).status, 'deleted');
      assert.equal((await issues('C')).state, 'banned');
      await moderate('C', { state: 'ok' });
      assert.equal((await product('C')).status, 'deleted');
      assert.equal((await moderations('C')).length, 2);
    });

    it('a file of the operator keeps the reasons of the same state, and removes those of another', async () => {
      await importDrafts(service(), merchant, [[draft('D')]]);
      await moderate('D', { state: 'banned', reasons: [REASON] });
      await importDrafts(service(), merchant, [[draft('D', { status: 'banned', title: 'New' })]]);
      assert.deepEqual((await issues('D')).reasons, [REASON]);
      await importDrafts(service(), merchant, [[draft('D', { status: 'problematic' })]]);
      assert.deepEqual([(await issues('D')).state, (await issues('D')).reasons], ['problematic', []]);
      assert.equal((await moderations('D')).length, 2);
    });

    it('400: names what is invalid, and changes nothing', async () => {
      await importDrafts(service(), merchant, [[draft('E')]]);
      const long = (length: number): string => 'x'.repeat(length);
      for (const [json, pattern] of [
        [{}, /^state: missing/],
        [{ state: 'good' }, /^state: expected one of ok, problematic, banned/],
        [{ state: 'ok', reasons: [REASON] }, /^reasons: expected none with the state ok\.$/],
        [{ state: 'banned', reasons: 'bad' }, /^reasons: expected a list of at most 20 objects/],
        [{ state: 'banned', reasons: { code: 'x' } }, /^reasons: expected a list of at most 20 objects/],
        [{ state: 'banned', reasons: Array(21).fill(REASON) }, /^reasons: expected a list of at most 20/],
        [{ state: 'banned', reasons: [REASON, 1] }, /^reasons: reasons\[1\]: expected an object\.$/],
        [{ state: 'banned', reasons: [{ code: 'x' }] }, /^reasons: reasons\[0\]\[message\]: expected text/],
        [
          { state: 'banned', reasons: [{ ...REASON, code: ' ' }] },
          /^reasons: reasons\[0\]\[code\]: expected/,
        ],
        [{ state: 'banned', reasons: [{ ...REASON, message: long(1_001) }] }, /1 to 1000 characters\.$/],
        [{ state: 'banned', reasons: [{ ...REASON, sku: 'x' }] }, /^reasons: reasons\[0\]: unrecognized sku/],
        [{ state: 'banned', reasons: Array(16).fill({ ...REASON, message: long(1_000) }) }, /15,000 bytes/],
      ] as const) {
        expectError(await moderate('E', json), 400, pattern);
      }
      assert.deepEqual((await issues('E')).state, 'ok');
      assert.deepEqual(await moderations('E'), []);
    });

    it('404: for an unknown product or merchant, and for another merchant’s product', async () => {
      const stranger = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('F')]]);
      const json = { state: 'banned' };
      expectError(await moderate('NONE', json), 404, /^There is no product with the unique ID NONE\.$/);
      expectError(await moderate('F', json, stranger), 404, /^There is no product with the unique ID F\.$/);
      expectError(await moderate('F', json, { id: 'nobody' }), 404, /^There is no merchant/);
      const query = { identifier: 'F' };
      expectError(await service().get('/products/issues', stranger, query), 404, /no product .* F\.$/);
      const console = await signedIn(service(), stranger);
      assert.equal((await console.get('/v1/products/issues?identifier=F')).status, 404);
      assert.equal((await issues('F')).state, 'ok');
    });

    it('fits an event, whatever the reasons', async () => {
      await importDrafts(service(), merchant, [[draft('G')]]);
      const reasons = Array(3).fill({
        code: '€'.repeat(100),
        field: '€'.repeat(100),
        message: '€'.repeat(1_000),
      });
      assert.equal((await moderate('G', { state: 'banned', reasons })).status, 200);
      assert.deepEqual((await moderations('G'))[0]?.reasons, reasons);
    });
  });
});
