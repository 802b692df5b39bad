import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PageStarts, type Start } from '../../src/products/list/page-starts.ts';

const MAX_PER_LISTING = 2_000;
const MAX_TOTAL = 200_000;

const startAt = (position: number, order = 1): Start => ({
  order,
  position,
  key: position,
  internal_id: position + 1,
});

it('finds the last start at or before a position', () => {
  const starts = new PageStarts();
  for (const position of [50, 150, 100]) starts.remember('a', startAt(position));
  for (const [position, found] of [
    [49, undefined],
    [50, 50],
    [99, 50],
    [100, 100],
    [1_000, 150],
  ] as const) {
    assert.equal(starts.nearest('a', position)?.position, found, `for ${position}`);
  }
  assert.equal(starts.nearest('b', 100), undefined);
});

it('keeps only the starts of the newest order', () => {
  const starts = new PageStarts();
  starts.remember('a', startAt(50, 1));
  starts.remember('a', startAt(100, 2));
  starts.remember('a', startAt(60, 1));
  assert.equal(starts.nearest('a', 60), undefined);
  starts.forgetBefore('a', 2);
  assert.equal(starts.nearest('a', 99), undefined);
  assert.equal(starts.nearest('a', 100)?.position, 100);
  starts.forgetBefore('a', 3);
  assert.equal(starts.nearest('a', 100), undefined);
});

it('bounds the starts of one listing, and always keeps the newest', () => {
  const starts = new PageStarts();
  for (let position = 0; position <= 3 * MAX_PER_LISTING; position += 1) {
    starts.remember('a', startAt(position));
    assert.equal(starts.nearest('a', position)?.position, position);
  }
  const kept = new Set<number | undefined>();
  for (let position = 0; position <= 3 * MAX_PER_LISTING; position += 1) {
    kept.add(starts.nearest('a', position)?.position);
  }
  assert.ok(kept.size > MAX_PER_LISTING / 2 && kept.size <= MAX_PER_LISTING, `${kept.size} starts`);
});

it('drops the least recently used listing when all listings together have too many starts', () => {
  const starts = new PageStarts();
  const listings = MAX_TOTAL / 1_000 + 1;
  for (let listing = 0; listing < listings; listing += 1) {
    for (let position = 0; position < 1_000; position += 1) starts.remember(`${listing}`, startAt(position));
  }
  assert.equal(starts.nearest('0', 0), undefined);
  assert.ok(starts.nearest('1', 0) !== undefined && starts.nearest(`${listings - 1}`, 0) !== undefined);
});

it('keeps the starts of other listings, however often a catalog changes', () => {
  const starts = new PageStarts();
  starts.remember('quiet', startAt(50));
  for (let order = 1; order <= 300; order += 1) {
    for (let position = 0; position < 1_000; position += 1) starts.remember('busy', startAt(position, order));
  }
  assert.equal(starts.nearest('quiet', 50)?.position, 50);
});
