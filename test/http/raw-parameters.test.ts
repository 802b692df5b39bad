import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isNestedDeeper,
  type RawParameter,
  readForm,
  readJsonObject,
  textValue,
} from '../../src/http/parameters/raw-parameters.ts';
import { fc } from '../support/seed.ts';

const SPECIAL = [
  ...'&=+%;"\\/?# []{},:\n\r\t',
  '\ufeff',
  'é',
  '漢',
  '🏺',
  '\u2028',
  '%41',
  '\\u0041',
  'null',
  '"',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 3 })))
  .map((parts) => parts.join('').replaceAll('\0', ''));
const pairs = fc.array(fc.tuple(text, text));
const asText = (name: string, value: string): RawParameter => ({ name, kind: 'text', text: value });
const latin1 = (value: string): string => Buffer.from(value).toString('latin1');

describe('readForm', () => {
  it('decodes what URLSearchParams encodes', () => {
    fc.assert(
      fc.property(pairs, (sent) => {
        const expected = sent.map(([name, value]) => asText(name, value));
        assert.deepEqual(readForm(String(new URLSearchParams(sent))), expected);
      }),
    );
  });

  it('decodes percent-encoding in any part, and reads the rest as plain UTF-8', () => {
    const encode = (value: string, choices: boolean[]): string =>
      [...value]
        .map((character, index) =>
          choices[index % choices.length] || /[&=+%]/.test(character)
            ? [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
            : latin1(character),
        )
        .join('');
    const choices = fc.array(fc.boolean(), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), choices, (sent, some) => {
        const encoded = sent.map(([name, value]) => `${encode(name, some)}=${encode(value, some)}`).join('&');
        assert.deepEqual(
          readForm(encoded),
          sent.map(([name, value]) => asText(name, value)),
        );
      }),
    );
  });

  it('reads names without values, and ignores empty pairs', () => {
    assert.deepEqual(readForm(''), []);
    assert.deepEqual(readForm('&&a&b=&=c&=&d==&'), [
      asText('a', ''),
      asText('b', ''),
      asText('', 'c'),
      asText('', ''),
      asText('d', '='),
    ]);
  });

  it('accepts arbitrary bytes, and marks values that are not UTF-8 or contain NUL', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const { kind, text: value, name } of readForm(Buffer.from(bytes).toString('latin1'))) {
          assert.ok(kind === 'text' || kind === 'malformed');
          assert.ok(value.isWellFormed() && !value.includes('\0') && name.isWellFormed());
        }
      }),
    );
    for (const wrong of ['%ff', '\xff', '%c3', '%ed%a0%80', 'a%00', 'a\0', '%', '%1', '%zz', '\xc0\x80']) {
      assert.deepEqual(readForm(`a=${wrong}`), [{ name: 'a', kind: 'malformed', text: '' }], wrong);
      assert.equal(readForm(`a=1&${wrong}=x`).length, 2);
    }
  });
});

describe('readForm with a maximum', () => {
  it('reads one more, so that the caller sees that there are more', () => {
    assert.equal(readForm('a&'.repeat(30_000), 1_000).length, 1_001);
    assert.equal(readForm('a&'.repeat(1_000), 1_000).length, 1_000);
  });
});

describe('readForm with malformed names', () => {
  for (const wrong of ['%', '%ff', '\xff']) {
    it(`takes not much longer for thousands of ${JSON.stringify(wrong)} than for as many well-formed names`, () => {
      const [malformed, wellFormed] = [`${wrong}&`.repeat(16_000), '%c3%a9&'.repeat(16_000)];
      const durationOf = (form: string): number => {
        const begun = performance.now();
        readForm(form);
        return performance.now() - begun;
      };
      const rounds = Array.from(
        { length: 5 },
        () => [durationOf(malformed), durationOf(wellFormed)] as const,
      );
      const least = (index: 0 | 1): number => Math.min(...rounds.map((round) => round[index]));
      assert.ok(least(0) < 4 * least(1), `${rounds}`);
    });
  }
});

describe('textValue', () => {
  it('is malformed for half of a surrogate pair, NUL or undefined', () => {
    for (const wrong of ['\ud800', '\udc00\ud800', '\0', undefined]) {
      assert.equal(textValue('a', wrong, 'string').kind, 'malformed');
    }
    assert.equal(textValue('a', '🏺', 'string').kind, 'string');
  });
});

const number = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
  .map((value) => JSON.stringify(value));
const oddNumber = fc.constantFrom('-0', '1.50', '1E5', '1e-400', '1e400', '123456789012345678901234567890');
const nested = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(text, fc.jsonValue()));
/** JSON values, each with the parameter that it must be read as. */
const jsonValue: fc.Arbitrary<[json: string, Omit<RawParameter, 'name'>]> = fc.oneof(
  text.map((value): [string, Omit<RawParameter, 'name'>] => [
    JSON.stringify(value),
    { kind: 'string', text: value },
  ]),
  text.map((value): [string, Omit<RawParameter, 'name'>] => [
    escaped(value),
    { kind: 'string', text: value },
  ]),
  fc
    .oneof(number, oddNumber)
    .map((digits): [string, Omit<RawParameter, 'name'>] => [digits, { kind: 'number', text: digits }]),
  fc
    .boolean()
    .map((value): [string, Omit<RawParameter, 'name'>] => [
      String(value),
      { kind: 'boolean', text: String(value) },
    ]),
  fc.constant<[string, Omit<RawParameter, 'name'>]>(['null', { kind: 'null', text: '' }]),
  nested
    .map((value) => JSON.stringify(value, null, 1))
    .map((json): [string, Omit<RawParameter, 'name'>] => [json, { kind: 'nested', text: json }]),
);
const space = fc.constantFrom('', ' ', '\n\t\r ');

function escaped(value: string): string {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

describe('readJsonObject', () => {
  it('returns every member in order, including repeated names and the digits of numbers', () => {
    const member = fc.tuple(
      fc.oneof(text, fc.constantFrom('page', '__proto__', '')),
      fc.boolean(),
      jsonValue,
      space,
    );
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const json = members.map(([name, isEscaped, [value], gap]) =>
          [isEscaped ? escaped(name) : JSON.stringify(name), ':', value, ''].join(gap),
        );
        const expected = members.map(([name, , [, given]]) => ({ name, ...given }));
        assert.deepEqual(readJsonObject(` {${json.join(',')}} `), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with JSON.parse on what is valid JSON and what is an object', () => {
    const mangled = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', ',', '\\', ' '))
      .map(([json, at, put]) => {
        const index = at % (json.length + 1);
        return json.slice(0, index) + put + json.slice(index + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mangled, fc.string()), (json) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(json);
        } catch {
          assert.throws(() => readJsonObject(json), SyntaxError);
          return;
        }
        const names = readJsonObject(json)?.map(({ name }) => name);
        if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
          assert.equal(names, undefined);
        else assert.deepEqual([...new Set(names)].sort(), Object.keys(parsed).sort());
      }),
      { numRuns: 500 },
    );
  });

  it('reads deeply nested and long values', () => {
    const deep = `{"a": ${'['.repeat(30_000)}${']'.repeat(30_000)}, "b": 1}`;
    assert.deepEqual(
      readJsonObject(deep)?.map(({ name, kind }) => [name, kind]),
      [
        ['a', 'nested'],
        ['b', 'number'],
      ],
    );
    const long = `{"a": "${'\\\\\\"'.repeat(15_000)}", "b": ${'9'.repeat(1000)}}`;
    assert.deepEqual(
      readJsonObject(long)?.map(({ text: value }) => value.length),
      [30_000, 1000],
    );
  });
});

describe('isNestedDeeper', () => {
  it('counts only the brackets that are open at the same time, and none in strings', () => {
    for (const [open, close] of ['[]', '{}']) {
      assert.equal(isNestedDeeper(`${open}`.repeat(3), 3), false);
      assert.equal(isNestedDeeper(`${open}`.repeat(4), 3), true);
      assert.equal(isNestedDeeper(`[${`${open}${close},`.repeat(9)}0]`, 3), false);
      assert.equal(isNestedDeeper(JSON.stringify([`"${open}\\`.repeat(9)]), 3), false);
      assert.equal(isNestedDeeper(`["", ${`${open}`.repeat(3)}`, 3), true);
    }
  });
});
