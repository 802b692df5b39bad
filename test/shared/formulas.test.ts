import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeFormulas, unescapeFormulas } from '../../src/shared/formulas.ts';
import { fc } from '../support/seed.ts';

describe('escaped formulas', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom(...'=+-@＝＋－＠,;|:\t\r\n "\'“\u00a0\u200b\u2028\u0085a15'))
      .map((some) => some.join('')),
  );

  it('are read back as the text that was escaped', () => {
    fc.assert(
      fc.property(text, (value) => {
        assert.equal(unescapeFormulas(escapeFormulas(value)), value);
      }),
      { numRuns: 5_000 },
    );
  });

  it('have one apostrophe more than the text, however many it has', () => {
    for (const [value, escaped] of [
      ['=1', "'=1"],
      ["'=1", "''=1"],
      ["x;''=1", "x;'''=1"],
      ['\t=1', "'\t'=1"],
      ["it's - so", "it's '- so"],
      ['-5', '-5'],
      ["'-5", "''-5"],
      ["'home'", "'home'"],
    ] as const) {
      assert.equal(escapeFormulas(value), escaped);
      assert.equal(unescapeFormulas(escaped), value);
    }
  });
});
