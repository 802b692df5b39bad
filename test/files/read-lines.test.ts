import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLines } from '../../src/files/read-lines.ts';
import { MAX_ROW_BYTES, type Row } from '../../src/files/split-rows.ts';
import { fc } from '../support/seed.ts';
import { chunked, flatten } from './fake-file.ts';

const lines = async (text: string | Buffer, sizes = [7]): Promise<Row[]> =>
  flatten(readLines(chunked(Buffer.from(text), sizes)));

describe('readLines', () => {
  it('splits lines like String.split, from any chunks', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ''));
    const end = fc.constantFrom('\n', '\r\n');
    const text = fc.tuple(fc.array(fc.tuple(line, end).map((parts) => parts.join(''))), line);
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(20), { minLength: 1 }), async ([ended, last], sizes) => {
        const whole = ended.join('') + last;
        const expected = whole
          .split('\n')
          .map((one, index) => ({ line: index + 1, text: one.replace(/\r$/, '') }))
          .filter(({ text: kept }) => kept !== '');
        const got = (await lines(whole, sizes)).map(({ line: number, bytes }) => ({
          line: number,
          text: bytes.toString(),
        }));
        assert.deepEqual(got, expected);
      }),
    );
  });

  it('returns at most 500 lines at once', async () => {
    const batches: number[] = [];
    for await (const batch of readLines(chunked(Buffer.from('x\n'.repeat(1200)), [1e6])))
      batches.push(batch.length);
    assert.deepEqual(batches, [500, 500, 200]);
  });

  it('accepts a line of exactly 4 MiB, and rejects one byte more', async () => {
    for (const sizes of [[10_000], [4 * MAX_ROW_BYTES]]) {
      const longest = 'x'.repeat(MAX_ROW_BYTES);
      const rows = await lines(`${longest}\n${longest}y\nz`, sizes);
      assert.deepEqual(
        rows.map(({ line, tooLong }) => [line, tooLong]),
        [
          [1, false],
          [2, true],
          [3, false],
        ],
      );
      assert.equal(rows[0]?.bytes.length, MAX_ROW_BYTES);
    }
  });
});
