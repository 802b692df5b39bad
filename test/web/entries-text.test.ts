import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lists } from '../../src/metadata/lists.ts';
import { type Entries, formatEntries, parseEntries } from '../../web/operator/lists/entries-text.ts';

it('the entries of every list are the same after they were written as text and read', () => {
  for (const { shape, initial, example } of Object.values(lists)) {
    for (const entries of [initial, example] as unknown as Entries[])
      assert.deepEqual(parseEntries(formatEntries(entries), shape), entries);
  }
});

it('a name of a code may contain the separator, and no name may be there twice', () => {
  assert.deepEqual(parseEntries('Size = wrong = size', 'codes'), { 'Size = wrong': 'size' });
  assert.throws(() => parseEntries('UPS = ups\nUPS = other', 'codes'), /“UPS” is in the list twice/);
});
