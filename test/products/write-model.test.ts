import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { GroupedWrites, type NewCall } from '../../src/products/write/grouped-writes.ts';
import type { ProductInput } from '../../src/products/write/parameters.ts';
import { createProduct, setProductState, updateProduct } from '../../src/products/write/products.ts';
import { changeRecords, type PrepareChange } from '../../src/products/write/write-records.ts';
import { createVariation, setVariationState, updateVariation } from '../../src/variations/write-variation.ts';
import { recordVerb } from '../../src/writer-verbs.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { patiently } from '../support/writes.ts';
import { ModelCatalog } from './write-model.ts';

const STEPS = runs(250);
/** Each seed has seen all outcomes long before this step. */
const MOST_STEPS = 5_000;
const OUTCOMES = ['created', 'updated', 'unchanged', 'rejected', '/products 200', '/variations/update 200'];

const ROUNDS = 12;
const NOW = Date.parse('2026-01-02T03:04:05Z');

forEachEngine((engine) => {
  const service = useService(engine);

  it(`at least ${STEPS} random writes of products and variations, single or in batches, agree with a simple model`, async () => {
    const random = newRandom();
    const merchant: TestMerchant = await service().newMerchant();
    const model = new ModelCatalog();
    const below = (count: number): number => Math.floor(random.next() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const product = (): string => `P${below(12)}`;
    const variation = (): string => `V${below(6)}`;
    const fields = (): Record<string, unknown> => ({
      ...(below(3) > 0 && { title: oneOf(['One', 'Two']) }),
      ...(below(2) > 0 && { brand: oneOf(['A', 'B', null]) }),
      ...(below(3) === 0 && { retail_price: oneOf([1, 2.5, null]) }),
      ...(below(2) > 0 && {
        variations: [...new Set([variation(), variation()])].map((identifier) => ({
          identifier,
          ...(below(2) > 0 && { quantity: oneOf([0, 1, 7, null]) }),
        })),
      }),
    });
    const stock = (): Record<string, unknown> => ({
      ...(below(2) > 0 ? { quantity: below(9) } : { quantity_change: below(11) - 5 }),
      ...(below(3) === 0 && { quantity_was: below(4) }),
    });
    const line = (): Record<string, unknown> =>
      below(3) === 0
        ? { identifier: product(), variation: variation(), ...stock() }
        : { identifier: product(), ...fields() };
    const send = async (path: string, json: unknown): Promise<{ status: number; body: unknown }> => {
      const headers = { authorization: `Bearer ${merchant.token}` };
      const response = await patiently(() => service().request('POST', path, { json, headers }));
      return { status: response.status, body: response.json() };
    };
    const outcomes = new Map<string, number>();
    const areAllSeen = (): boolean => OUTCOMES.every((outcome) => outcomes.has(outcome));
    for (let step = 0; step < STEPS || !areAllSeen(); step += 1) {
      assert.ok(step < MOST_STEPS, `an outcome never occurs: ${JSON.stringify([...outcomes])}`);
      if (below(4) === 0) {
        const lines = Array.from({ length: 1 + below(5) }, line);
        const expected = lines.map((each) => model.applyLine(each));
        const { status, body } = await send('/products/batch', lines);
        assert.equal(status, 200);
        const { results } = body as { results: { result: string }[] };
        const found = results.map(({ result }) => result);
        assert.deepEqual(found, expected, `step ${step}: ${JSON.stringify(lines)}`);
        for (const result of found) outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
      } else {
        const [path, json] = oneOf<() => [string, Record<string, unknown>]>([
          () => ['/products', { identifier: product(), ...fields() }],
          () => ['/products/update', { identifier: product(), ...fields() }],
          () => [
            `/products/${oneOf(['enable', 'enable_catalog_only', 'disable', 'delete'])}`,
            { identifier: product() },
          ],
          () => [
            '/variations',
            { product_identifier: product(), identifier: variation(), quantity: below(9) },
          ],
          () => ['/variations/update', { identifier: variation(), ...stock() }],
          () => [`/variations/${oneOf(['enable', 'disable', 'delete'])}`, { identifier: variation() }],
        ])();
        const expected = model.call(path, json);
        const { status, body } = await send(path, json);
        assert.equal(
          status,
          expected,
          `step ${step}: ${path} ${JSON.stringify(json)} ${JSON.stringify(body)}`,
        );
        outcomes.set(`${path} ${status}`, (outcomes.get(`${path} ${status}`) ?? 0) + 1);
      }
      const sort = 'unique_id_ascending';
      const response = await patiently(() => service().get('/products', merchant, { sort }));
      const shown = response.json<Parameters<typeof ModelCatalog.simplify>[0][]>();
      assert.deepEqual(shown.map(ModelCatalog.simplify), model.products(), `after step ${step}`);
    }
  });

  it('calls that arrive together have the results of the same calls one after the other', async () => {
    const random = newRandom();
    const below = (count: number): number => Math.floor(random.next() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const { database } = service();
    const settings = {
      lowInventory: 2,
      maxCategories: 3,
      onlyListedCategories: false,
      moderationQueue: false,
      budgets: defaultBudgets,
    };
    const writes = new GroupedWrites(database, recordVerb, settings, () => NOW);
    const together = await service().newMerchant();
    const separate = await service().newMerchant();
    const outcomes = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const calls = Array.from({ length: 1 + below(70) }, () => randomCall(below, oneOf));
      const expected: string[] = [];
      for (const call of calls) expected.push(await outcomeOf(writes.run(separate.id, call)));
      const found = await Promise.all(calls.map((call) => outcomeOf(writes.run(together.id, call))));
      for (const [index, outcome] of found.entries())
        assert.equal(outcome, expected[index], `round ${round}, call ${index}`);
      for (const outcome of found) {
        const kind = outcome.startsWith('{') ? 'record' : outcome.replaceAll(/[PV]\d+|\d+/g, '*');
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      }
      for (const identifier of PRODUCTS) {
        const [one, other] = await Promise.all(
          [together, separate].map(async (merchant) => {
            const response = await service().get('/products/retrieve', merchant, { identifier });
            return withoutIds(response.text);
          }),
        );
        assert.equal(one, other, `round ${round}`);
      }
    }
    assert.ok((outcomes.get('record') ?? 0) > 50, 'many calls succeed');
    assert.ok(outcomes.size > 8, `calls fail for many reasons: ${[...outcomes.keys()].join('\n')}`);
  });

  it('a call of a group that finds a defect ends the group, and the next calls are accepted', async () => {
    const failing = (): Promise<never> => Promise.reject(new TypeError('a defect'));
    const changes = { ...recordVerb.changes, failing };
    const settings = {
      lowInventory: 2,
      maxCategories: null,
      onlyListedCategories: false,
      moderationQueue: false,
      budgets: defaultBudgets,
    };
    const verb = { changes, verb: changeRecords(changes) };
    const writes = new GroupedWrites(service().database, verb, settings, () => NOW);
    const { id } = await service().newMerchant();
    const create = (identifier: string): NewCall =>
      callOf(createProduct, productInput({ identifier, title: 'Vase' }));
    const defect = callOf(failing, undefined);
    // The first call runs alone, and the others wait for it together.
    const results = await Promise.allSettled(
      [create('A'), create('B'), defect, create('C')].map((call) => writes.run(id, call)),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected'],
    );
    await writes.run(id, create('B'));
  });
});

const PRODUCTS = ['P1', 'P2', 'P3', 'P4'];

function randomCall(below: (count: number) => number, oneOf: <T>(values: readonly T[]) => T): NewCall {
  const identifier = oneOf(PRODUCTS);
  const variation = `V${below(8)}`;
  const action = oneOf(['enable', 'disable', 'delete', 'disable', 'enable'] as const);
  const variations = [{ identifier: variation, quantity: below(5) }];
  const category = oneOf(['home', 'home/vases', 'garden', 'kitchen', undefined]);
  const title = oneOf(['One', 'Two']);
  const stated = below(2) > 0 ? { title, category, variations } : { title, category };
  const quantity_change = below(5) - 2;
  const ifMatch = below(12) === 0 ? '"an earlier record"' : undefined;
  return oneOf<() => NewCall>([
    () => callOf(createProduct, productInput({ identifier, title, category, variations }), ifMatch),
    () => callOf(updateProduct, productInput({ identifier, ...stated }), ifMatch),
    () => callOf(setProductState, { identifier, action }, ifMatch),
    () =>
      callOf(
        createVariation,
        { product_identifier: identifier, identifier: variation, quantity: 3 },
        ifMatch,
      ),
    () => callOf(setVariationState, { identifier: variation, action }, ifMatch),
    ...Array<() => NewCall>(4).fill(() =>
      callOf(updateVariation, { identifier: variation, quantity_change }, ifMatch),
    ),
  ])();
}

function callOf<Input>(change: PrepareChange<Input>, input: Input, ifMatch?: string): NewCall {
  const made = { who: { ...SERVICE }, isAudited: false, keyed: null };
  const call: NewCall<Input> = { change, input, fields: 'standard', ifMatch, ...made };
  // Calls of all kinds are in one list.
  return call as unknown as NewCall;
}

function productInput(stated: {
  identifier: string;
  [name: string]: unknown;
}): ProductInput & { identifier: string } {
  return stated as ProductInput & { identifier: string };
}

/** The record of a call, which has its ids, or its error. */
async function outcomeOf(result: Promise<string>): Promise<string> {
  try {
    const json = await result;
    assert.doesNotMatch(json, /_id":0\b/);
    return withoutIds(json);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** Ids of variations follow the order in which a group writes their products. */
function withoutIds(json: string): string {
  return json.replaceAll(/("(?:product_)?internal_id":)\d+/g, '$1');
}
