import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isWhole, periodsOf, shifted, shiftOf } from '../../src/sales/report-days.ts';

const TODAY = '2026-11-28';

it('a range is split where days, weeks and months begin; its ends may be parts', () => {
  const range = { from: '2026-10-30', to: '2026-11-03' };
  const split = (unit: 'day' | 'week' | 'month', of = range): string[] =>
    [...periodsOf(of, unit)].map(({ from, to }) => `${from} ${to}`);
  assert.equal(split('day').length, 5);
  assert.deepEqual(split('week'), ['2026-10-30 2026-11-01', '2026-11-02 2026-11-03']);
  assert.deepEqual(split('month'), ['2026-10-30 2026-10-31', '2026-11-01 2026-11-03']);
  assert.deepEqual(split('month', { from: '2027-12-05', to: '2027-12-05' }), ['2027-12-05 2027-12-05']);
});

it('only days, weeks from Monday and months from the first to the last day are whole', () => {
  for (const [from, to, unit, expected] of [
    ['2026-11-28', '2026-11-28', 'day', true],
    ['2026-11-23', '2026-11-29', 'week', true],
    ['2026-11-22', '2026-11-28', 'week', false],
    ['2026-11-23', '2026-11-28', 'week', false],
    ['2028-02-01', '2028-02-29', 'month', true],
    ['2028-02-01', '2028-02-28', 'month', false],
    ['2028-02-02', '2028-02-29', 'month', false],
  ] as const)
    assert.equal(isWhole({ from, to }, unit), expected, `${from} ${to} ${unit}`);
});

it('days are compared with as many days before, and months with the same days of other months', () => {
  for (const [from, to, comparison, comparedFrom, comparedTo] of [
    ['2026-11-22', '2026-11-28', 'previous_days', '2026-11-15', '2026-11-21'],
    ['2026-11-05', '2026-11-05', 'previous_days', '2026-11-04', '2026-11-04'],
    ['2026-11-01', '2026-11-28', 'previous_days', '2026-10-04', '2026-10-31'],
    // This month so far, a whole month, and twelve months of which the last is in progress.
    ['2026-11-01', '2026-11-28', 'previous_months', '2026-10-01', '2026-10-28'],
    ['2026-10-01', '2026-10-31', 'previous_months', '2026-09-01', '2026-09-30'],
    ['2025-12-01', '2026-11-28', 'previous_months', '2024-12-01', '2025-11-28'],
    ['2026-11-22', '2026-11-28', 'last_year', '2025-11-22', '2025-11-28'],
    ['2029-02-01', '2029-02-28', 'last_year', '2028-02-01', '2028-02-29'],
    ['2029-02-01', '2029-02-27', 'last_year', '2028-02-01', '2028-02-27'],
  ] as const) {
    const range = { from, to };
    const compared = shifted(range, shiftOf(range, comparison), TODAY);
    assert.deepEqual(compared, { from: comparedFrom, to: comparedTo }, `${from} ${to} ${comparison}`);
  }
});

it('days that the compared month does not have are compared with nothing, and are in no other day', () => {
  const before = { months: 1 };
  const compare = (from: string, to: string, today = TODAY) => shifted({ from, to }, before, today);
  assert.equal(compare('2026-03-29', '2026-03-29'), null);
  assert.equal(compare('2026-03-30', '2026-03-31'), null);
  assert.deepEqual(compare('2026-03-23', '2026-03-29'), { from: '2026-02-23', to: '2026-02-28' });
  assert.deepEqual(compare('2026-04-30', '2026-04-30'), { from: '2026-03-30', to: '2026-03-30' });
  // December is longer than February.
  const days = { from: '2026-02-23', to: '2026-03-01' };
  assert.deepEqual(shifted(days, { months: 2 }, TODAY), { from: '2025-12-23', to: '2025-12-29' });
  // On its last day, a month is not over.
  assert.deepEqual(compare('2026-02-01', '2026-02-28', '2026-02-28'), {
    from: '2026-01-01',
    to: '2026-01-28',
  });
  assert.deepEqual(compare('2026-02-01', '2026-02-28'), { from: '2026-01-01', to: '2026-01-31' });
});
