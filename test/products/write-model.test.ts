import assert from 'node:assert/strict';
import { it } from 'node:test';
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
});
