import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleProduct } from '../../src/products/record/example-product.ts';
import type { Product } from '../../src/products/record/product.ts';
import { changesOf, clashesOf, inverseOf, textOf, withEdit } from '../../web/product/edits.ts';
import { labelOf, quantityName } from '../../web/products/fields.ts';

const [variation] = exampleProduct.variations;
assert.ok(variation !== undefined);
const stock = quantityName(variation.identifier);
const product: Product = {
  ...exampleProduct,
  title: 'Pot',
  brand: null,
  extra_images: 'https://a.example|https://b.example',
};

describe('edits of a product', () => {
  it('have the texts of the product: empty for no value, one line for each image', () => {
    assert.equal(textOf(product, 'brand'), '');
    assert.equal(textOf(product, 'extra_images'), 'https://a.example\nhttps://b.example');
    assert.equal(textOf(product, stock), String(variation.quantity));
    assert.equal(labelOf(stock), `Stock of ${variation.identifier}`);
  });

  it('show amounts with two decimals, and with more if they have more', () => {
    const texts = [49.9, 0, 1249, 0.125].map((value) =>
      textOf({ ...product, buy_now_price: value }, 'buy_now_price'),
    );
    assert.deepEqual(texts, ['49.90', '0.00', '1249.00', '0.125']);
    assert.equal(textOf({ ...product, weight: 3 }, 'weight'), '3');
    const priced = { ...product, buy_now_price: 49.9 };
    assert.deepEqual(withEdit({}, priced, 'buy_now_price', '49.9'), {});
    assert.deepEqual(clashesOf({ buy_now_price: '5' }, priced, { ...priced, buy_now_price: 5 }), []);
  });

  it('contain only what differs from the product', () => {
    const edits = withEdit({}, product, 'title', 'Jar');
    assert.deepEqual(edits, { title: 'Jar' });
    assert.deepEqual(withEdit(edits, product, 'title', 'Pot'), {});
  });

  it('are written by the names of the API, and blank texts clear', () => {
    const edits = { brand: ' ', buy_now_price: '9.5', extra_images: ' https://c.example \n\n', [stock]: '4' };
    const added = [{ identifier: 'NEW', size: 'L', color: ' ', quantity: '' }];
    assert.deepEqual(changesOf(edits, added), {
      brand: null,
      buy_now_price: '9.5',
      extra_images: 'https://c.example',
      variations: {
        [variation.identifier]: { identifier: variation.identifier, quantity: '4' },
        NEW: { identifier: 'NEW', size: 'L' },
      },
    });
    assert.deepEqual(changesOf(inverseOf({ brand: 'B', title: 'Jar' }, product)), {
      brand: null,
      title: 'Pot',
    });
  });

  it('clash with those of someone else only if both changed the same text differently', () => {
    const edits = { title: 'Jar', brand: 'Mine', material: 'Clay' };
    const theirs = { ...product, title: 'Jug', brand: 'Mine', description: 'Theirs' };
    assert.deepEqual(clashesOf(edits, product, theirs), ['title']);
    assert.deepEqual(clashesOf(edits, product, product), []);
  });
});
