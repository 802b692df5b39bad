import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleProduct } from '../../src/products/record/example-product.ts';
import { combinationsOf } from '../../web/product/combinations.ts';

const [variation] = exampleProduct.variations;
assert.ok(variation !== undefined);
const product = {
  identifier: 'POT',
  variations: [{ ...variation, identifier: 'POT-1', size: 'M', color: 'Moss' }],
};

const namesOf = (sizes: string, colors: string): string[] =>
  combinationsOf(product, sizes, colors).map(({ identifier }) => identifier);

describe('variations of each size in each color', () => {
  it('leave out what the product has, in any letter case', () => {
    assert.deepEqual(namesOf(' s, m ', 'moss,Light sand'), [
      'POT-S-MOSS',
      'POT-S-LIGHT-SAND',
      'POT-M-LIGHT-SAND',
    ]);
    assert.deepEqual(combinationsOf(product, 'XL', 'Moss'), [
      { identifier: 'POT-XL-MOSS', size: 'XL', color: 'Moss', quantity: '' },
    ]);
  });

  it('can have only a size or only a color, and are different', () => {
    assert.deepEqual(namesOf('S,s, ,S', ''), ['POT-S']);
    assert.deepEqual(namesOf('', 'Moss'), ['POT-MOSS']);
    assert.deepEqual(namesOf(' ', ','), []);
  });

  it('never have an identifier that is taken', () => {
    assert.deepEqual(namesOf('1', ''), ['POT-1-2']);
    assert.deepEqual(namesOf('A B, A', 'B, C'), ['POT-A-B-B', 'POT-A-B-C', 'POT-A-B', 'POT-A-C']);
    assert.deepEqual(namesOf('A-B, A', 'C, B-C'), ['POT-A-B-C', 'POT-A-B-B-C', 'POT-A-C', 'POT-A-B-C-2']);
  });
});
