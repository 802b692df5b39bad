import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Cache } from '../../src/shared/cache.ts';
import { fc } from '../support/seed.ts';

const KIB = 1024;

/** The cache may keep it then. */
function offerTwice(cache: Cache<string>, key: string, size = KIB): void {
  cache.offer(key, key, size);
  cache.offer(key, key, size);
}

it('keeps a value from the second offer on', () => {
  const cache = new Cache<string>(1024 * KIB);
  cache.offer('page', 'first', KIB);
  assert.equal(cache.get('page'), undefined);
  cache.offer('page', 'second', KIB);
  assert.equal(cache.get('page'), 'second');
  cache.offer('page', 'third', KIB);
  assert.equal(cache.get('page'), 'third');
});

it('a client that reads every page once evicts nothing', () => {
  const cache = new Cache<string>(100 * KIB);
  offerTwice(cache, 'popular');
  for (let page = 0; page < 10_000; page += 1) cache.offer(`page ${page}`, '', KIB);
  assert.equal(cache.get('popular'), 'popular');
});

it('keeps the values that are read, and evicts the others', () => {
  const cache = new Cache<string>(100 * KIB);
  for (let page = 0; page < 500; page += 1) {
    offerTwice(cache, `page ${page}`);
    if (page > 0) assert.equal(cache.get('page 0'), 'page 0', `after ${page} other pages`);
  }
  assert.equal(cache.get('page 1'), undefined);
  assert.equal(cache.get('page 499'), 'page 499');
});

it('keeps no value that takes more than a sixteenth of it', () => {
  const cache = new Cache<string>(160 * KIB);
  offerTwice(cache, 'large', 10 * KIB);
  assert.equal(cache.get('large'), undefined);
  offerTwice(cache, 'small', 8 * KIB);
  assert.equal(cache.get('small'), 'small');
});

it('returns the last value offered for a key or nothing, and never holds more than its capacity', () => {
  const offers = fc.array(
    fc.record({ key: fc.integer({ min: 0, max: 30 }), size: fc.integer({ min: 0, max: 8 * KIB }) }),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(offers, (offered) => {
      const capacity = 80 * KIB;
      const cache = new Cache<{ size: number }>(capacity);
      const last = new Map<string, { size: number }>();
      for (const { key, size } of offered) {
        const value = { size };
        const name = `key ${key}`;
        cache.offer(name, value, size);
        if (size + 2 * name.length + KIB <= capacity / 16) last.set(name, value);
      }
      let bytes = 0;
      for (const [key, value] of last) {
        const found = cache.get(key);
        if (found === undefined) continue;
        assert.equal(found, value);
        bytes += value.size;
      }
      assert.ok(bytes <= capacity, `${bytes} bytes`);
    }),
  );
});
