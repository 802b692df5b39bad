import assert from 'node:assert/strict';
import { it } from 'node:test';
import { daysOf, rangeOf } from '../../web/format/day-ranges.ts';

it('a range ends today, or on the last day of last month', () => {
  const expected: [choice: string | undefined, today: string, from: string, to: string][] = [
    [undefined, '2026-03-31', '2026-03-02', '2026-03-31'],
    ['7', '2026-03-02', '2026-02-24', '2026-03-02'],
    ['90', '2026-03-31', '2026-01-01', '2026-03-31'],
    ['this_month', '2026-03-31', '2026-03-01', '2026-03-31'],
    ['this_month', '2026-03-01', '2026-03-01', '2026-03-01'],
    ['last_month', '2028-03-31', '2028-02-01', '2028-02-29'],
    ['last_month', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['anything', '2026-03-31', '2026-03-02', '2026-03-31'],
  ];
  for (const [choice, today, from, to] of expected)
    assert.deepEqual(rangeOf(choice, today), { from, to }, `${choice} on ${today}`);
});

it('a range has each of its days once', () => {
  assert.deepEqual(daysOf({ from: '2026-02-27', to: '2026-03-02' }), [
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  assert.equal(daysOf(rangeOf('90', '2026-11-10')).length, 90);
});
