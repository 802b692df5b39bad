import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCsv } from '../../src/files/read-csv.ts';
import { csvLine } from '../../src/files/write-csv.ts';
import { fc } from '../support/seed.ts';
import { flatten, openText } from './fake-file.ts';

describe('csvLine', () => {
  it('quotes cells that need it, doubles quotes, and leaves null empty', () => {
    assert.equal(csvLine(['a', 1.5, null, true, '']), 'a,1.5,,true,\n');
    assert.equal(csvLine(['a,b', 'a"b', 'a\nb', 'a\rb', ' a']), '"a,b","a""b","a\nb","a\rb"," a"\n');
  });

  it('can be read back unchanged, for any cells and chunks', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom('"', ',', '\n', '\r', ' ', 'x', '\ufeff'), { maxLength: 8 })
        .map((parts) => parts.join('')),
    );
    const row = fc.tuple(cell, cell, cell).filter((cells) => cells.some((one) => one.trim() !== ''));
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.array(fc.nat(30), { minLength: 1 }), async (rows, sizes) => {
        const text = csvLine(['a', 'b', 'c']) + rows.map((cells) => csvLine(cells)).join('');
        const read = await flatten(readCsv(openText(text, sizes), []).rows);
        assert.deepEqual(
          read.map(({ cells }) => cells),
          rows,
        );
        assert.ok(read.every(({ rejections }) => rejections.length === 0));
      }),
    );
  });
});
