import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readChangedProduct } from '../../web/activity/changed-product.ts';

it('the list of activity says which fields of a product changed, in the words of its page', () => {
  const read = (subject: string): string => {
    const { product, fields } = readChangedProduct(subject);
    return `Changed ${fields} of ${product}`;
  };
  assert.equal(read('SKU-0543: buy_now_price, quantity'), 'Changed buy-now price and stock of SKU-0543');
  assert.equal(read('SKU: 1: title'), 'Changed title of SKU: 1');
  assert.equal(
    read('POT: buy_one_get_one_price, available_quantity, variations'),
    'Changed BOGO price, stock, and variations of POT',
  );
});
