import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Import } from '../../src/imports/import-record.ts';
import type { ProductHistory } from '../../src/products/history/list-history.ts';
import type { Product } from '../../src/products/record/product.ts';
import { allProducts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { type Left, leftAlone, startUndo, untilUndone } from '../support/undo.ts';
import { patiently } from '../support/writes.ts';

const HISTORIES = runs(6);
const MAX_HISTORIES = 50;
const STEPS = 9;
const PRODUCTS = ['A', 'B', 'C', 'D'];
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };

/** A field of a product, as rejected rows name it. */
type Key = string;
type State = ReadonlyMap<Key, unknown>;

/** Only tells whether a product was changed. */
const ORDER = 'variations';

const keyOf = (identifier: string, name: string): Key => `${identifier} ${name}`;

/** What changes set. The stock and the status of a product with variations follow from them. */
function stateOf(products: readonly Product[]): State {
  const state = new Map<Key, unknown>();
  for (const product of products) {
    const { identifier, variations, ...fields } = product;
    const following = ['status', 'internal_id', 'updated_at'];
    if (variations.length > 0) following.push('available_quantity');
    for (const [name, value] of Object.entries({ identifier, ...fields }))
      if (!following.includes(name)) state.set(keyOf(identifier, name), value);
    for (const variation of variations)
      for (const [name, value] of Object.entries(variation))
        if (name !== 'internal_id')
          state.set(keyOf(identifier, `variations[${variation.identifier}][${name}]`), value);
    const order = variations.map((variation) => variation.identifier).join();
    state.set(keyOf(identifier, ORDER), order);
  }
  return state;
}

function writesOf(before: State, after: State): Map<Key, unknown> {
  return new Map([...after].filter(([key, value]) => before.get(key) !== value));
}

forEachEngine((engine) => {
  const service = useService(engine);
  const random = newRandom();
  const below = (count: number): number => Math.floor(random.next() * count);
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;

  const fields = () => ({
    ...(below(2) > 0 && { title: oneOf(['One', 'Two', 'Three', null]) }),
    ...(below(3) === 0 && { brand: oneOf(['Acme', 'Brio', null]) }),
    ...(below(3) === 0 && { buy_now_price: oneOf([1, 2.5, null]) }),
  });
  const isVaried = (identifier: string): boolean => PRODUCTS.indexOf(identifier) < 2;
  const variations = (of: string) =>
    [...new Set([below(4), below(4)])].map((number) => ({
      identifier: `${of}-${number}`,
      quantity: below(9),
    }));
  const line = (identifier: string) => ({
    identifier,
    ...fields(),
    ...(isVaried(identifier)
      ? (identifier === 'B' || below(2) > 0) && { variations: variations(identifier) }
      : below(2) > 0 && { available_quantity: 1 + below(8) }),
  });
  const file = (identifiers: readonly string[]): string =>
    identifiers.map((identifier) => `${JSON.stringify({ title: 'T', ...line(identifier) })}\n`).join('');

  async function post(merchant: TestMerchant, path: string, json: unknown): Promise<void> {
    const headers = { authorization: `Bearer ${merchant.token}` };
    await patiently(() => service().request('POST', path, { json, headers }));
  }

  async function changeIdOf(merchant: TestMerchant, identifier: string): Promise<string> {
    const response = await service().get('/products/history', merchant, { identifier });
    return response.json<ProductHistory>().results[0]?.change_id ?? '';
  }

  /** Makes a random change. Resolves to its name if it was an import. */
  async function change(merchant: TestMerchant, names: readonly string[]): Promise<string | undefined> {
    const name = oneOf(names);
    const kind = below(7);
    if (kind < 2) {
      const some = names.filter(() => below(2) > 0);
      const { id, rejected } = await importFileByApi(
        service(),
        merchant,
        file(some.length > 0 ? some : [name]),
        NDJSON,
      );
      assert.equal(rejected, 0);
      return id;
    }
    if (kind < 4) await post(merchant, '/products/batch', names.filter(() => below(2) > 0).map(line));
    else if (kind === 4)
      await post(merchant, `/products/${oneOf(['enable', 'disable'])}`, { identifier: name });
    else if (kind === 5)
      await post(merchant, `/products/${oneOf(['delete', 'enable_catalog_only'])}`, { identifier: name });
    else await post(merchant, `/variations/${oneOf(['delete', 'disable'])}`, { identifier: `${name}-1` });
    return undefined;
  }

  /** What undoing a step must lead to, and what it must list. */
  function expectationOf(states: readonly State[], step: number): { state: State; left: string[] } {
    const writes = states.slice(1).map((state, index) => writesOf(states[index] ?? new Map(), state));
    const before = states[step] ?? new Map<Key, unknown>();
    const present = states.at(-1) ?? new Map<Key, unknown>();
    const own = writes[step] ?? new Map<Key, unknown>();
    const later = writes.slice(step + 1);
    const isTouched = (prefix: Key): boolean =>
      later.some((each) => [...each.keys()].some((key) => key.startsWith(prefix)));
    const state = new Map(present);
    const left: string[] = [];
    for (const key of own.keys()) {
      const [identifier = '', field] = key.split(' ');
      if (field === ORDER) continue;
      const [, variation] = /variations\[([^\]]+)\]/.exec(key) ?? [];
      const part = variation === undefined ? '' : `variations[${variation}]`;
      const isNewProduct = !before.has(keyOf(identifier, 'identifier'));
      const isNewVariation = variation !== undefined && !before.has(keyOf(identifier, `${part}[identifier]`));
      if (isNewProduct || isNewVariation) {
        const created = keyOf(identifier, isNewProduct ? '' : part);
        const deletion = isNewProduct ? `${created}deleted_at` : `${created}[deleted_at]`;
        const name = isNewProduct ? `${created}identifier` : `${created}[identifier]`;
        if (key !== name || present.get(deletion) !== null) continue;
        if (isTouched(created)) left.push(name);
        else state.set(deletion, 'now');
        continue;
      }
      if (later.some((each) => each.has(key))) {
        if (present.get(key) !== before.get(key)) left.push(key);
      } else state.set(key, before.get(key));
    }
    return { state, left };
  }

  /** The time of a deletion by the undo is not known before. */
  function assertState(actual: State, expected: State): void {
    const shown = new Map(
      [...expected].map(([key, value]) => [key, value === 'now' ? (actual.get(key) ?? null) : value]),
    );
    for (const [key, value] of expected)
      if (value === 'now') assert.notEqual(actual.get(key), null, `${key} is deleted`);
    const comparable = (state: State) =>
      [...state].filter(([key]) => {
        const [identifier = '', field] = key.split(' ');
        if (field === ORDER) return false;
        return field !== 'disabled_at' || expected.get(keyOf(identifier, 'deleted_at')) !== 'now';
      });
    assert.deepEqual(new Map(comparable(actual)), new Map(comparable(shown)));
  }

  it(`in at least ${HISTORIES} random histories, undoing a change equals the history without it, conflicts are listed by field, and undoing the undo returns to the present`, async () => {
    let undone = 0;
    let conflicts = 0;
    for (let history = 0; history < HISTORIES || conflicts === 0; history += 1) {
      assert.ok(history < MAX_HISTORIES, 'there were no conflicts');
      const merchant = await service().newMerchant();
      const headers = { authorization: `Bearer ${merchant.token}` };
      const first = PRODUCTS.filter((name) => name !== 'B').map((name) => ({
        ...line(name),
        title: 'Zero',
        ...(isVaried(name) && {
          variations: [0, 1].map((of) => ({ identifier: `${name}-${of}`, quantity: 5 })),
        }),
      }));
      await service().request('POST', '/products/batch', { json: first, headers });
      const products = () => allProducts(service(), merchant);
      const states: State[] = [stateOf(await products())];
      const names: (object | undefined)[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        service().passTime(2_000);
        const imported = await change(merchant, PRODUCTS);
        const state = stateOf(await products());
        const [changed] = writesOf(states.at(-1) ?? new Map(), state).keys();
        states.push(state);
        if (changed === undefined) names.push(undefined);
        else if (imported !== undefined) names.push({ import_id: imported });
        else names.push({ change_id: await changeIdOf(merchant, changed.split(' ')[0] ?? '') });
      }
      for (let round = 0; round < 2; round += 1) {
        const step = below(names.length);
        const name = names[step];
        if (name === undefined) continue;
        service().passTime(60_000);
        const { state, left } = expectationOf(states, step);
        const present = states.at(-1) ?? new Map();
        const response = await startUndo(service(), merchant, name);
        if (response.status === 400) {
          assert.match(response.message, /^There is nothing to undo/);
          assertState(present, state);
          assert.deepEqual(left, []);
          continue;
        }
        const undo = await untilUndone(service(), merchant, response);
        states.push(stateOf(await products()));
        names.push({ import_id: undo.id });
        assertState(states.at(-1) ?? new Map(), state);
        const listed = await leftAlone(service(), merchant, undo.id);
        const found = listed.map(({ identifier, name }: Left) => keyOf(identifier ?? '', name ?? ''));
        for (const key of left) assert.ok(found.includes(key), `${key} of ${found}`);
        const isDetail = (key: Key): boolean => {
          const [identifier = '', field] = key.split(' ');
          return field === ORDER || left.includes(keyOf(identifier, 'identifier'));
        };
        assert.deepEqual(
          found.filter((key) => !left.includes(key) && !isDetail(key)),
          [],
        );
        undone += 1;
        conflicts += left.length;
        if (undo.updated === 0) continue;
        service().passTime(60_000);
        const again = await startUndo(service(), merchant, { import_id: undo.id });
        const redone: Import = await untilUndone(service(), merchant, again);
        assert.equal(redone.rejected, 0);
        states.push(stateOf(await products()));
        names.push({ import_id: redone.id });
        assertState(states.at(-1) ?? new Map(), present);
      }
    }
    assert.ok(undone > HISTORIES / 2, `${undone} changes were undone`);
  });

  it('after an import of changed, moved, removed and returning variations is undone, the catalog exports the same bytes but for updated_at', async () => {
    const merchant = await service().newMerchant();
    const exported = async (): Promise<string> =>
      JSON.stringify(await allProducts(service(), merchant), (key, value) =>
        key === 'updated_at' ? '' : value,
      );
    const names = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? `A-${index}` : `C-${index}`));
    const random = (name: string): string => {
      const some = [0, 1, 2, 3].filter(() => below(3) > 0).toSorted(() => below(3) - 1);
      const stock = name.startsWith('A')
        ? {
            variations: some.map((of) => ({
              identifier: `${name}/${of}`.replace('/', '.'),
              quantity: below(9),
            })),
          }
        : { available_quantity: oneOf([null, 0, 4]) };
      const status = oneOf([{}, {}, { status: 'disabled' }, { status: 'deleted' }, { status: 'enabled' }]);
      return `${JSON.stringify({ identifier: name, title: 'T', ...fields(), ...stock, ...status })}\n`;
    };
    const all = names.map((name) => {
      const variations = [0, 1, 2, 3].map((of) => ({ identifier: `${name}.${of}`, quantity: 5 }));
      return `${JSON.stringify({ identifier: name, title: 'First', ...(name.startsWith('A') && { variations }) })}\n`;
    });
    await importFileByApi(service(), merchant, all.join(''), NDJSON);
    await importFileByApi(service(), merchant, names.map(random).join(''), NDJSON);
    const before = await exported();
    service().passTime(60_000);
    // Some products are in the file twice.
    const changed = [...names, ...names.slice(0, 9)].map(random).join('');
    const { id, updated, rejected } = await importFileByApi(service(), merchant, changed, NDJSON);
    assert.equal(rejected, 0);
    assert.ok(updated > 30);
    const after = await exported();
    assert.notEqual(after, before);
    service().passTime(60_000);
    const undo = await untilUndone(
      service(),
      merchant,
      await startUndo(service(), merchant, { import_id: id }),
    );
    assert.equal(undo.rejected, 0);
    assert.equal(await exported(), before);
    const redo = await startUndo(service(), merchant, { import_id: undo.id });
    await untilUndone(service(), merchant, redo);
    assert.equal(await exported(), after);
  });
});
