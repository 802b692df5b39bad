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
import { useService } from '../support/service.ts';

const ROUNDS = 12;
const NOW = Date.parse('2026-01-02T03:04:05Z');

forEachEngine((engine) => {
  const service = useService(engine);

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
