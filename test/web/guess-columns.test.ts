import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isImportColumn } from '../../src/products/files/import-columns.ts';
import { guessColumns } from '../../web/imports/guess-columns.ts';
import { importFieldGroups } from '../../web/imports/import-fields.ts';

function guessesOf(...headers: string[]): Record<string, string> {
  return Object.fromEntries(guessColumns(headers));
}

describe('guessed columns', () => {
  it('are found by name, label and other words, in any case and with any separators', () => {
    assert.deepEqual(
      guessesOf('SKU', 'Product Name', 'list_price', 'Price (USD)', 'QTY', 'Image URL', 'Margin'),
      {
        SKU: 'identifier',
        'Product Name': 'title',
        list_price: 'retail_price',
        'Price (USD)': 'buy_now_price',
        QTY: 'available_quantity',
        'Image URL': 'primary_image',
        Margin: '',
      },
    );
    assert.deepEqual(guessesOf('IDENTIFIER', 'Buy-now price', 'Catégory'), {
      IDENTIFIER: 'identifier',
      'Buy-now price': 'buy_now_price',
      Catégory: 'category',
    });
  });

  it('keep the names of our own columns, and use no field twice: the more certain word wins', () => {
    assert.deepEqual(guessesOf('title', 'Name', 'ID', 'Item no.', 'SKU'), {
      title: 'title',
      Name: '',
      ID: '',
      'Item no.': '',
      SKU: 'identifier',
    });
    assert.deepEqual(guessesOf('created_at', 'internal_id', 'merchant'), {
      created_at: '',
      internal_id: '',
      merchant: '',
    });
  });

  it('have variations only with a column for their identifier', () => {
    assert.deepEqual(guessesOf('SKU', 'Size', 'Colour'), { SKU: 'identifier', Size: '', Colour: '' });
    assert.deepEqual(guessesOf('Handle', 'Variant SKU', 'Size', 'Colour'), {
      Handle: 'identifier',
      'Variant SKU': 'variation_identifier',
      Size: 'variation_size',
      Colour: 'variation_color',
    });
  });

  it('are columns of our format', () => {
    for (const { fields } of importFieldGroups)
      for (const { name } of fields) assert.ok(isImportColumn(name), name);
  });
});
