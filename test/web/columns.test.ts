import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOf } from '../../web/products/columns.ts';
import { marginOf } from '../../web/products/margin.ts';

const namesOf = (...[chosen, order]: Parameters<typeof columnsOf>): string[] =>
  columnsOf(chosen, order).map(({ name }) => name);

describe('the columns of a list of products', () => {
  it('are the chosen ones, in the order of the list, without those of another version', () => {
    assert.deepEqual(namesOf(['margin', 'status', 'no_longer_there'], undefined), ['status', 'margin']);
    assert.deepEqual(namesOf([], undefined), []);
  });

  it('include the one by which the user sorts, once', () => {
    assert.deepEqual(namesOf(['status'], 'ratings_descending'), ['status', 'ratings_average']);
    assert.deepEqual(namesOf(['ratings_average'], 'ratings_ascending'), ['ratings_average']);
    assert.deepEqual(namesOf(['status'], 'unique_id_ascending'), ['status']);
    assert.ok(!namesOf(null, undefined).includes('created_at'));
  });

  it('that the user has chosen stay in narrow lists', () => {
    assert.ok(columnsOf(null, undefined).some(({ isMinor }) => isMinor === true));
    assert.ok(columnsOf(['updated_at'], undefined).every(({ isMinor }) => isMinor === undefined));
  });
});

describe('the margin of a product', () => {
  it('is a part of the price, and negative below cost', () => {
    assert.deepEqual(marginOf({ buy_now_price: 20, cost_basis: 15 }), { amount: 5, ratio: 0.25 });
    assert.deepEqual(marginOf({ buy_now_price: 20, cost_basis: 25 }), { amount: -5, ratio: -0.25 });
  });

  it('is unknown without a price or a cost', () => {
    for (const [price, cost] of [
      [null, 1],
      [1, null],
      [0, 1],
    ] as const)
      assert.equal(marginOf({ buy_now_price: price, cost_basis: cost }), null);
  });
});
