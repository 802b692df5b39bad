import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TransactionSize } from '../../src/imports/transaction-size.ts';

const LIMITS = { maxHoldMs: 12, minItems: 4 };

/** Writes transactions whose items take `msPerItem` each. Returns how long the last ones held their locks. */
function holds(size: TransactionSize, msPerItem: number): number[] {
  const all: number[] = [];
  for (let transaction = 0; transaction < 20; transaction += 1) {
    const ms = size.items * msPerItem;
    all.push(ms);
    size.record(size.items, ms);
  }
  return all.slice(-10);
}

describe('the transactions of an import', () => {
  it('hold their locks for less than 20 ms, however long an item takes', () => {
    for (const msPerItem of [0.05, 0.2, 1, 3]) {
      for (const ms of holds(new TransactionSize(LIMITS), msPerItem))
        assert.ok(ms < 20, `${msPerItem}: ${ms} ms`);
    }
  });

  it('have at most 500 items, and at least four', () => {
    const size = new TransactionSize(LIMITS);
    holds(size, 0);
    assert.equal(size.items, 500);
    holds(size, 1_000);
    assert.equal(size.items, 4);
  });

  it('grow again after slow items, by at most a factor of two at a time', () => {
    const size = new TransactionSize(LIMITS);
    holds(size, 1);
    assert.equal(size.items, 12);
    size.record(12, 0.1);
    assert.equal(size.items, 24);
  });

  it('do not shrink because the last one of a file had few items', () => {
    const size = new TransactionSize(LIMITS);
    holds(size, 0.1);
    size.record(1, 0.1);
    assert.ok(size.items >= 100, `${size.items} items`);
  });
});
