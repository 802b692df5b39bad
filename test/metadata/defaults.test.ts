import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkEntries } from '../../src/metadata/check-entries.ts';
import { readEntries } from '../../src/metadata/entries-parameter.ts';
import { listNames, lists } from '../../src/metadata/lists.ts';

const inOrder = (names: readonly string[]): string[] => names.toSorted(new Intl.Collator('en').compare);

describe('the default lists', () => {
  it('are lists that the operator could set', () => {
    for (const name of listNames) {
      const json = JSON.stringify(lists[name].initial);
      const sent = readEntries(json) ?? assert.fail(name);
      const checked = checkEntries(name, sent);
      assert.ok('json' in checked, `${name}: ${JSON.stringify(checked)}`);
      assert.equal(checked.json, json);
    }
  });

  it('have the 249 countries of ISO 3166-1 by name, each with a code of its own', () => {
    const codes = Object.entries(lists.country_codes.initial);
    assert.equal(codes.length, 249);
    assert.equal(new Set(codes.map(([, code]) => code)).size, 249);
    const names = codes.map(([name]) => name);
    assert.deepEqual(names, inOrder(names));
    assert.deepEqual(lists.countries.initial, names);
    const known = new Intl.DisplayNames('en', { type: 'region' });
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
    const regions = new Set(letters.flatMap((one) => letters.map((other) => known.of(one + other))));
    const alike = names.filter((name) => regions.has(name));
    assert.ok(alike.length > 220, `only ${alike.length} names are usual`);
  });

  it('have the states, territories and provinces by name, each with a code of its own', () => {
    const { states, territories, provinces } = lists;
    for (const [{ initial }, count] of [
      [states, 51],
      [territories, 11],
      [provinces, 13],
    ] as const) {
      assert.deepEqual(Object.keys(initial), inOrder(Object.keys(initial)));
      assert.equal(new Set(Object.values(initial)).size, count);
    }
    const american = [...Object.values(states.initial), ...Object.values(territories.initial)];
    assert.equal(new Set(american).size, 62);
  });
});
