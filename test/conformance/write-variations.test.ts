import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { accepted, patiently, postAs } from '../support/writes.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [draft('P'), draft('Q'), draft('GONE', { deleted_at: '2026-01-01T00:00:00Z' })],
    ]);
  });

  const post = postAs(service, () => merchant);
  const create = async (
    identifier: string,
    form: Record<string, string> = {},
  ): Promise<Record<string, unknown>> =>
    accepted(await post('/variations', { product_identifier: 'P', identifier, ...form }));
  const retrieve = (identifier: string): Promise<ClientResponse> =>
    service().get('/variations/retrieve', merchant, { identifier });
  const stockOf = async (identifier: string): Promise<unknown> =>
    accepted(await retrieve(identifier)).quantity;

  it('200: creates a variation that retrieve and its product show', async () => {
    const created = await create('V1', { quantity: '3', size: 'S', color: 'Red' });
    assert.deepEqual([created.product_identifier, created.quantity, created.size], ['P', 3, 'S']);
    assert.deepEqual(accepted(await retrieve('V1')), created);
    const product = accepted(await service().get('/products/retrieve', merchant, { identifier: 'P' }));
    assert.equal(product.available_quantity, 3);
  });

  it('400 and 404: rejects a taken identifier, and a product that is unknown or deleted', async () => {
    await create('V2');
    expectError(
      await post('/variations', { product_identifier: 'P', identifier: 'V2' }),
      400,
      /^identifier: .*already exists/,
    );
    expectError(
      await post('/variations', { product_identifier: 'NONE', identifier: 'V3' }),
      404,
      /unique ID NONE/,
    );
    expectError(
      await post('/variations', { product_identifier: 'GONE', identifier: 'V3' }),
      400,
      /GONE is deleted/,
    );
    for (const action of ['update', 'enable', 'disable', 'delete']) {
      const message = 'There is no variation with the unique ID V3.';
      const form = { identifier: 'V3', ...(action === 'update' && { quantity: '1' }) };
      expectError(await post(`/variations/${action}`, form), 404, message);
    }
  });

  it('200: sets the stock, or changes it by a number of units', async () => {
    await create('V4');
    for (const [form, expected] of [
      [{ quantity: '5' }, 5],
      [{ quantity_change: '+2' }, 7],
      [{ quantity_change: '-7', quantity_was: '7' }, 0],
      [{ quantity: '1', quantity_was: '0' }, 1],
    ] as const) {
      assert.equal(
        accepted(await post('/variations/update', { identifier: 'V4', ...form })).quantity,
        expected,
      );
      assert.equal(await stockOf('V4'), expected);
    }
  });

  it('200: a variation without a quantity counts as having none in stock', async () => {
    await create('V9');
    const change = { identifier: 'V9', quantity_change: '-1' };
    expectError(await post('/variations/update', change), 400, /^quantity_change: the current quantity is 0/);
    assert.equal(await stockOf('V9'), null);
    const based = { identifier: 'V9', quantity_change: '2', quantity_was: '0' };
    assert.equal(accepted(await post('/variations/update', based)).quantity, 2);
  });

  it('400: rejects a change that does not fit the stock, states the current one, and changes nothing', async () => {
    await create('V5', { quantity: '4', size: 'S' });
    for (const [form, message] of [
      [{ quantity_change: '-5' }, /^quantity_change: the current quantity is 4: expected a result from 0/],
      [{ quantity_change: '2147483647' }, /^quantity_change: the current quantity is 4/],
      [{ quantity_change: '-2147483648' }, /^quantity_change: the current quantity is 4/],
      [{ quantity: '9', quantity_was: '3' }, /^quantity_was: the current quantity is 4, not 3\.$/],
      [{ quantity: '9', quantity_change: '1' }, /^quantity_change: send exactly one of/],
      [{}, /^quantity: missing/],
      [{ quantity: '2.5' }, /^quantity: expected a whole number/],
      [{ quantity: '2e0' }, /^quantity: expected a whole number/],
      [{ quantity: '-1' }, /^quantity: expected a whole number from 0/],
      [{ quantity: '2147483648' }, /^quantity: /],
      [{ quantity: '9', size: 'M' }, /^size: cannot change after creation: expected "S"/],
    ] as const) {
      expectError(await post('/variations/update', { identifier: 'V5', ...form }), 400, message);
      assert.equal(await stockOf('V5'), 4);
    }
  });

  it('400: the sum of a product’s variations is at most 2147483647', async () => {
    for (const [identifier, quantity] of [
      ['V10', '1'],
      ['V11', '0'],
    ] as const)
      accepted(await post('/variations', { product_identifier: 'Q', identifier, quantity }));
    const message = /: expected at most 2147483647, found \d+ as the sum of the variations\.$/;
    for (const [path, form, name] of [
      ['/variations/update', { identifier: 'V11', quantity: '2147483647' }, 'quantity'],
      ['/variations/update', { identifier: 'V11', quantity_change: '2147483647' }, 'quantity_change'],
      ['/variations', { identifier: 'V12', quantity: '2147483647' }, 'quantity'],
    ] as const) {
      const owner = path === '/variations' ? { product_identifier: 'Q' } : {};
      const response = await post(path, { ...owner, ...form });
      expectError(response, 400, message);
      assert.ok(response.json<{ message: string }>().message.startsWith(`${name}: `), response.text);
      assert.equal(await stockOf('V11'), 0);
    }
    accepted(await post('/variations/disable', { identifier: 'V11' }));
    accepted(await post('/variations/update', { identifier: 'V11', quantity: '2147483647' }));
    expectError(
      await post('/variations/enable', { identifier: 'V11' }),
      400,
      /^identifier: expected at most/,
    );
  });

  it('200: every change of many at once counts exactly once', async () => {
    await create('V6', { quantity: '100' });
    const changes = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? -3 : 2));
    await Promise.all(
      changes.map(async (change) =>
        accepted(
          await patiently(() =>
            post('/variations/update', { identifier: 'V6', quantity_change: String(change) }),
          ),
        ),
      ),
    );
    assert.equal(await stockOf('V6'), 80);
  });

  it('412: If-Match with an ETag from before another change', async () => {
    await create('V7', { quantity: '1' });
    const headers = { 'if-match': (await retrieve('V7')).header('etag') };
    const update = (quantity: string): Promise<ClientResponse> =>
      post('/variations/update', { identifier: 'V7', quantity }, { headers });
    accepted(await update('2'));
    expectError(await update('3'), 412, /^If-Match/);
    assert.equal(await stockOf('V7'), 2);
  });

  it('200: enable, disable and delete set and clear the times; a deleted variation can be created again', async () => {
    const created = await create('V8', { quantity: '2' });
    const act = async (action: string): Promise<Record<string, unknown>> => {
      service().passTime(1000);
      return accepted(await post(`/variations/${action}`, { identifier: 'V8' }));
    };
    const disabled = await act('disable');
    assert.notEqual(disabled.disabled_at, null);
    assert.deepEqual(await act('disable'), disabled);
    assert.deepEqual(await act('enable'), created);
    const deleted = await act('delete');
    assert.notEqual(deleted.deleted_at, null);
    assert.deepEqual(await act('delete'), deleted);
    for (const [action, form] of [
      ['enable', {}],
      ['update', { quantity: '9' }],
    ] as const) {
      expectError(await post(`/variations/${action}`, { identifier: 'V8', ...form }), 400, /V8 is deleted/);
    }
    const again = await create('V8', { quantity: '5' });
    assert.deepEqual([again.internal_id, again.quantity, again.deleted_at], [created.internal_id, 5, null]);
  });

  it('200 and 400: a variation can be sent back as it was read, and its read-only fields keep their values', async () => {
    await create('BACK', { quantity: '3', size: 'S' });
    const read = accepted(await retrieve('BACK'));
    const json = (fields: Record<string, unknown>) => ({ ...read, ...fields, access_token: merchant.token });
    const send = (path: string, fields: Record<string, unknown>) =>
      service().request('POST', path, { json: json(fields) });
    assert.deepEqual(accepted(await send('/variations/update', {})), read);
    assert.equal(accepted(await send('/variations/update', { quantity: 4 })).quantity, 4);
    for (const [name, value] of [
      ['internal_id', 999],
      ['product_internal_id', 999],
      ['product_identifier', 'OTHER'],
      ['created_at', '2020-01-01T00:00:00Z'],
      ['internal_id', null],
      ['product_internal_id', null],
      ['product_identifier', null],
      ['created_at', null],
      ['deleted_at', '2020-01-01T00:00:00Z'],
    ] as const) {
      const reason = new RegExp(`^${name}: read-only`);
      expectError(await send('/variations/update', { [name]: value }), 400, reason);
    }
    assert.equal(accepted(await send('/variations/update', { quantity: 5, deleted_at: null })).quantity, 5);
    expectError(await send('/variations', { identifier: 'BACK-2' }), 400, /internal_id: read-only/);
  });
});
