import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { textUpTo } from '../../src/files/value-readers.ts';
import { fieldReaders } from '../../src/products/files/read-fields.ts';
import { InvalidValue } from '../../src/shared/invalid-value.ts';

type Kind = keyof typeof fieldReaders;

/** The value, or the reason in parentheses. */
const json = (kind: Kind, value: unknown): unknown => shown(fieldReaders[kind].fromJson(value));
const cell = (kind: Kind, text: string): unknown => shown(fieldReaders[kind].fromCell(text));
const shown = (value: unknown): unknown => (value instanceof InvalidValue ? `(${value.reason})` : value);

describe('identifier', () => {
  it('accepts up to 100 letters and digits of any script, spaces, periods, dashes and underscores', () => {
    for (const good of [
      'a',
      'A-1_b 2',
      '6631.A',
      '.a',
      'a.',
      '...',
      'Größe 7.5',
      'Größe 7',
      '日本語-1',
      '𐐀'.repeat(100),
      'x'.repeat(100),
      '٣',
    ]) {
      assert.equal(json('identifier', good), good);
      assert.equal(cell('identifier', good), good);
    }
  });

  it('rejects anything else, and names the character', () => {
    const expected = 'expected letters, digits, spaces, periods, dashes and underscores, found';
    assert.equal(cell('identifier', 'a/b'), `(${expected} "/")`);
    assert.equal(cell('identifier', 'a\tb'), `(${expected} "\\t")`);
    assert.equal(cell('identifier', 'a\u00a0b'), `(${expected} "\u00a0")`);
    assert.equal(json('identifier', 'a\ud800'), `(${expected} "\ufffd")`);
    assert.match(String(cell('identifier', ' a')), /without spaces at either end/);
    assert.match(String(json('identifier', 'a ')), /without spaces at either end/);
    assert.match(String(json('identifier', 'x'.repeat(101))), /at most 100 characters/);
    for (const segment of ['.', '..']) {
      assert.equal(cell('identifier', segment), '(expected an identifier other than "." and "..")');
      assert.equal(json('identifier', segment), '(expected an identifier other than "." and "..")');
    }
    for (const none of ['', '  '])
      assert.match(String(cell('identifier', none)), /expected an identifier, found none/);
    for (const none of [null, undefined, '']) assert.match(String(json('identifier', none)), /found none/);
    assert.equal(json('identifier', 12), '(expected text in quotes)');
  });
});

describe('amount', () => {
  it('accepts finite numbers from 0', () => {
    for (const [text, value] of [
      ['0', 0],
      ['12.50', 12.5],
      [' 7 ', 7],
      ['1e3', 1000],
      ['0.1', 0.1],
      ['', null],
    ] as const) {
      assert.equal(cell('amount', text), value);
    }
    for (const value of [0, 12.5, 1e300, null]) assert.equal(json('amount', value), value);
    assert.ok(Object.is(json('amount', -0), 0));
  });

  it('rejects separators, signs, words and quotes', () => {
    for (const text of ['1,234.50', '1.234,50', '12,5', "1'234", '1 234', '1\u00a0234', '1\u202f234']) {
      assert.equal(
        cell('amount', text),
        '(expected a number without thousands separators and with a decimal point: 1234.5)',
      );
    }
    for (const text of ['-1', '+1', '.5', '1.', 'NaN', 'Infinity', '1e999', '$5', '0x10', '007']) {
      assert.equal(cell('amount', text), '(expected a number, 0 or more, such as 1234.5)', text);
    }
    assert.match(String(json('amount', '12')), /not in quotes/);
    assert.match(String(json('amount', -1)), /0 or more/);
    assert.match(String(json('amount', Number.POSITIVE_INFINITY)), /0 or more/);
    assert.match(String(json('amount', true)), /expected a JSON number/);
  });
});

describe('count', () => {
  it('accepts whole numbers from 0 to 2147483647', () => {
    assert.equal(cell('count', '2147483647'), 2147483647);
    assert.equal(json('count', 0), 0);
    assert.equal(cell('count', ''), null);
    for (const text of ['2147483648', '-1', '1.5', 'x'])
      assert.match(String(cell('count', text)), /whole number from 0 to/);
    for (const value of [2147483648, -1, 1.5])
      assert.match(String(json('count', value)), /whole number from 0 to/);
    assert.match(String(cell('count', '1,000')), /without thousands separators/);
  });
});

describe('time', () => {
  it('accepts RFC 3339, and converts it to UTC', () => {
    const times = [
      ['2026-01-31T23:59:59Z', '2026-01-31T23:59:59Z'],
      ['2026-01-31T23:59:59.123Z', '2026-01-31T23:59:59.123Z'],
      ['2026-01-31T23:59:59.000Z', '2026-01-31T23:59:59Z'],
      ['2026-01-31 23:59:59+02:00', '2026-01-31T21:59:59Z'],
    ];
    for (const [text, time] of times) {
      assert.equal(json('time', text), time);
      assert.equal(cell('time', ` ${text} `), time);
    }
    assert.equal(json('time', null), null);
  });

  it('rejects other formats, invalid dates, and years with more than four digits', () => {
    for (const text of [
      '2026-02-30T00:00:00Z',
      '2026-01-31',
      '31/01/2026',
      '2026-01-31T23:59:59',
      'x',
      '+010000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
    ]) {
      assert.match(String(json('time', text)), /expected an RFC 3339 time/, text);
      assert.match(String(cell('time', text)), /expected an RFC 3339 time/, text);
    }
    assert.equal(json('time', 1700000000), '(expected text in quotes)');
  });
});

describe('category', () => {
  it('trims its levels, and joins them consistently', () => {
    assert.equal(json('category', 'A|B  C |D'), 'A | B  C | D');
    assert.equal(cell('category', ' A '), 'A');
    assert.equal(json('category', null), null);
  });

  it('rejects empty levels', () => {
    for (const text of ['A||B', '|A', 'A|', ' | '])
      assert.match(String(cell('category', text)), /none of them empty/);
    assert.match(String(json('category', '')), /none of them empty/);
  });

  it('has levels of at most 255 characters', () => {
    const longest = 'Ä'.repeat(255);
    assert.equal(json('category', `${longest} | ${longest}`), `${longest} | ${longest}`);
    assert.match(String(json('category', `A | ${longest}Ä`)), /at most 255 characters/);
  });

  it('has at most 10 levels', () => {
    const ten = Array(10).fill('A').join(' | ');
    assert.equal(json('category', ten), ten);
    assert.equal(json('category', `${ten} | A`), '(expected at most 10 category levels)');
  });
});

describe('status', () => {
  it('is one of the eight, or null for a derived one', () => {
    assert.equal(json('status', 'low_inventory'), 'low_inventory');
    assert.equal(json('status', null), null);
    assert.equal(cell('status', ''), null);
    assert.match(String(cell('status', 'In Stock')), /expected one of in_stock, enabled/);
  });
});

describe('rating', () => {
  it('is a number from 0 to 5, like the rating of a schedule', () => {
    for (const value of [0, 3.33, 5, null]) assert.equal(json('rating', value), value);
    assert.equal(cell('rating', '4.5'), 4.5);
    for (const value of [5.01, 5e300, -1])
      assert.match(String(json('rating', value)), /from 0 to 5|0 or more/);
    assert.equal(cell('rating', '6'), '(expected a rating from 0 to 5, such as 4.5)');
  });
});

describe('text', () => {
  const text = textUpTo(1000);

  it('is kept unchanged, up to its limit in characters', () => {
    assert.equal(text.fromJson(' a\n'), ' a\n');
    assert.equal(text.fromCell(' '), ' ');
    assert.equal(text.fromJson(''), '');
    assert.equal(text.fromCell(''), null);
    for (const character of ['x', 'Ä', '🏺']) {
      assert.equal(text.fromCell(character.repeat(1000)), character.repeat(1000));
      assert.equal(shown(text.fromCell(character.repeat(1001))), '(expected at most 1000 characters)');
    }
  });

  it('rejects characters that cannot be stored on both engines', () => {
    for (const value of ['a\0b', '\ud800', 'x\udc00'])
      assert.match(String(shown(text.fromJson(value))), /without NUL characters/);
    assert.equal(shown(text.fromJson(5)), '(expected text in quotes)');
  });
});
