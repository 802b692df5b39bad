import assert from 'node:assert/strict';
import { it } from 'node:test';
import { anyDraft } from '../support/arbitraries.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  const retrieve = (merchant: TestMerchant, identifier: string): Promise<ClientResponse> =>
    service().get('/variations/retrieve.json', merchant, { identifier });

  async function newMerchantWith(...identifiers: string[]): Promise<TestMerchant> {
    const merchant = await service().newMerchant();
    const variations = identifiers.map((identifier) => ({ identifier, size: 'L', quantity: 3 }));
    await importDrafts(service(), merchant, [[draft('First'), draft('Pot 1', {}, variations)]]);
    return merchant;
  }

  it('200: returns the variation with its product’s ids, keys in the contract’s order', async () => {
    const merchant = await newMerchantWith('Pot_1-S', 'Pot_1-L');
    const response = await retrieve(merchant, 'Pot_1-L');
    assert.equal(response.status, 200, response.text);
    const { created_at, ...variation } = response.json<Record<string, unknown>>();
    assert.deepEqual(variation, {
      product_identifier: 'Pot 1',
      product_internal_id: 2,
      identifier: 'Pot_1-L',
      internal_id: 2,
      size: 'L',
      color: null,
      quantity: 3,
      disabled_at: null,
      deleted_at: null,
    });
    assert.match(String(created_at), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
    assert.deepEqual(Object.keys(response.json<object>()), [
      'product_identifier',
      'product_internal_id',
      'identifier',
      'internal_id',
      'size',
      'color',
      'quantity',
      'created_at',
      'disabled_at',
      'deleted_at',
    ]);
  });

  it('200: returns every variation exactly as its product’s record contains it', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [fc.sample(anyDraft, { numRuns: 60, seed: 11 })]);
    const texts = [
      '}',
      '"',
      '\\\\',
      '\\"}',
      '{"identifier":"L","internal_id":1}',
      '],"variations":[',
      '\u2028',
    ];
    const variations = texts.map((text, index) => ({
      identifier: `odd ${index}`,
      size: text,
      color: `${text}"`,
    }));
    await importDrafts(service(), merchant, [
      [draft('odd 0', { description: '"variations":[{"identifier":"odd 3",' }, variations)],
    ]);
    let compared = 0;
    for (const product of await allProducts(service(), merchant)) {
      for (const variation of product.variations) {
        const { identifier: product_identifier, internal_id: product_internal_id } = product;
        assert.equal(
          (await retrieve(merchant, variation.identifier)).text,
          JSON.stringify({ product_identifier, product_internal_id, ...variation }),
        );
        compared += 1;
      }
    }
    assert.ok(compared > 20, `${compared} variations`);
  });

  it('200: finds a variation of a product with 10,000 of them', async () => {
    const merchant = await service().newMerchant();
    const variations = Array.from({ length: 10_000 }, (_, index) => ({
      identifier: `V${index}`,
      size: 'x'.repeat(100),
    }));
    await importDrafts(service(), merchant, [[draft('Many', {}, variations)]]);
    for (const identifier of ['V0', 'V5000', 'V9999'])
      assert.equal(
        (await retrieve(merchant, identifier)).json<{ identifier: string }>().identifier,
        identifier,
      );
    expectError(await retrieve(merchant, 'V10000'), 404, /V10000/);
  });

  it('200: accepts identifiers in any script', async () => {
    const identifiers = ['Größe 7', '日本語-1', '𐐀', 'x'.repeat(100)];
    const merchant = await newMerchantWith(...identifiers);
    for (const identifier of identifiers) {
      assert.equal(
        (await retrieve(merchant, identifier)).json<{ identifier: string }>().identifier,
        identifier,
      );
    }
  });

  it('200: returns a variation that a later import omitted, marked as deleted', async () => {
    const merchant = await newMerchantWith('S', 'L');
    await importDrafts(service(), merchant, [[draft('Pot 1', {}, [{ identifier: 'L' }])]]);
    assert.notEqual((await retrieve(merchant, 'S')).json<{ deleted_at: string | null }>().deleted_at, null);
  });

  it('404: names the requested unique ID if no variation has it', async () => {
    const merchant = await newMerchantWith('S');
    for (const identifier of [
      's',
      'S ',
      ' S',
      'nothing',
      'Pot 1',
      'a/b',
      '<b>',
      '"',
      '%',
      'x'.repeat(101),
      '☃',
    ]) {
      const response = await retrieve(merchant, identifier);
      expectError(response, 404, `There is no variation with the unique ID ${identifier}.`);
    }
  });

  it('404: responds the same for another merchant’s variation as for a missing one', async () => {
    const owner = await newMerchantWith('Secret-1');
    const other = await newMerchantWith('S');
    const before = await service().newMerchant();
    const [hidden, missing] = [await retrieve(other, 'Secret-1'), await retrieve(before, 'Secret-1')];
    expectError(hidden, 404, 'There is no variation with the unique ID Secret-1.');
    assert.equal(hidden.text, missing.text);
    assert.equal((await retrieve(owner, 'Secret-1')).status, 200);
  });

  it('200: returns each merchant its own variation if two have the same identifier', async () => {
    const [one, other] = [await newMerchantWith('Same'), await newMerchantWith('Before', 'Same')];
    assert.equal((await retrieve(one, 'Same')).json<{ internal_id: number }>().internal_id, 1);
    assert.equal((await retrieve(other, 'Same')).json<{ internal_id: number }>().internal_id, 2);
  });

  it('400: rejects a missing or blank identifier', async () => {
    const merchant = await newMerchantWith('S');
    for (const identifier of ['', '  ']) {
      expectError(await retrieve(merchant, identifier), 400, /^identifier: missing, expected /);
    }
    expectError(await service().get('/variations/retrieve.json', merchant), 400, /^identifier: missing/);
  });

  it('400: rejects an identifier that is not text', async () => {
    const { token: access_token } = await newMerchantWith('S', '5');
    for (const identifier of [5, true, ['S'], { a: 'S' }]) {
      const response = await service().request('GET', '/variations/retrieve.json', {
        json: { access_token, identifier },
      });
      expectError(response, 400, /^identifier: expected text/);
    }
  });

  it('200 or 404: reads post data on GET', async () => {
    const { token: access_token } = await newMerchantWith('S');
    const request = (identifier: string): Promise<ClientResponse> =>
      service().request('GET', '/variations/retrieve.json', { form: { access_token, identifier } });
    assert.equal((await request('S')).status, 200);
    assert.equal((await request('T')).status, 404);
  });
});
