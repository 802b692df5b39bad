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
