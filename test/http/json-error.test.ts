import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findJsonError } from '../../src/http/parameters/json-error.ts';
import { fc } from '../support/seed.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonError', () => {
  const cases: [json: string, line: number, column: number, expected: RegExp][] = [
    ['', 1, 1, /^a value$/],
    ['{"identifier":"clay-pot",}', 1, 26, /^a name/],
    ["{'identifier':1}", 1, 2, /^a name/],
    ['{"a" 1}', 1, 6, /^a colon$/],
    ['{"a":1 "b":2}', 1, 8, /^a comma or }$/],
    ['{"a":1', 1, 7, /^a comma or }$/],
    ['[1,]', 1, 4, /^a value$/],
    ['[1 2]', 1, 4, /^a comma or ]$/],
    ['{"a":1} x', 1, 9, /^the end of the text$/],
    ['{\n  "größe": "M",\n  "ö": tru\n}', 3, 8, /^a value$/],
    ['{"a":"line\nbreak"}', 1, 6, /^a value$/],
  ];
  for (const [json, line, column, expected] of cases) {
    it(`${JSON.stringify(json)}: line ${line}, column ${column}`, () => {
      const error = findJsonError(json);
      assert.deepEqual([error?.line, error?.column], [line, column]);
      assert.match(error?.expected ?? '', expected);
    });
  }

  it('agrees with JSON.parse on what is JSON, also with a letter inserted or deleted', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', ':', ' ', '\n', '0', '\\', 'é'),
        (json, at, letter) => {
          const position = at % (json.length + 1);
          const rest = letter === '' ? json.slice(position + 1) : json.slice(position);
          const text = json.slice(0, position) + letter + rest;
          assert.equal(findJsonError(json), undefined);
          assert.equal(findJsonError(text) === undefined, isJson(text), text);
        },
      ),
    );
  });

  it('reads a text of a mebibyte in time in proportion to its length', () => {
    assert.equal(findJsonError(`["${'\\n'.repeat(500_000)}", x]`)?.expected, 'a value');
    assert.equal(findJsonError('['.repeat(1_000_000))?.expected, 'a value');
  });
});
