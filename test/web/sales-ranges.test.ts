import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NO_SALES, summarizeDays } from '../../src/sales/sums.ts';
import { Formats } from '../../web/format/formats.ts';
import { partOf } from '../../web/sales/period-words.ts';
import { changeRange, shownRange } from '../../web/sales/ranges.ts';

const TODAY = '2026-11-28';

it('a range of sales is one of the URL’s words or days, and is divided by its length', () => {
  for (const [search, choice, from, to, unit] of [
    [{}, '', '2025-12-01', TODAY, 'month'],
    [{ range: 'anything' }, '', '2025-12-01', TODAY, 'month'],
    [{ range: '7' }, '7', '2026-11-22', TODAY, 'day'],
    [{ range: '30' }, '30', '2026-10-30', TODAY, 'day'],
    [{ range: '90' }, '90', '2026-08-31', TODAY, 'week'],
    [{ range: 'this_month' }, 'this_month', '2026-11-01', TODAY, 'day'],
    [{ range: 'last_month' }, 'last_month', '2026-10-01', '2026-10-31', 'day'],
    [{ range: '24_months' }, '24_months', '2024-12-01', TODAY, 'month'],
    [{ range: 'all' }, 'all', undefined, TODAY, 'month'],
    [{ from: '2026-03-02', to: '2026-03-02' }, 'custom', '2026-03-02', '2026-03-02', 'day'],
    [{ range: '7', from: '2026-03-02', to: '2026-06-02' }, 'custom', '2026-03-02', '2026-06-02', 'week'],
    [{ range: '7', from: '2026-03-02' }, '7', '2026-11-22', TODAY, 'day'],
  ] as const) {
    const { units: _, comparison: __, ...shown } = shownRange(search, TODAY);
    assert.deepEqual(shown, { choice, from, to, unit }, JSON.stringify(search));
  }
});

it('a range is divided as the URL says, unless the parts are too many', () => {
  assert.equal(shownRange({ range: '90', by: 'day' }, TODAY).unit, 'day');
  assert.equal(shownRange({ range: '7', by: 'month' }, TODAY).unit, 'month');
  assert.equal(shownRange({ by: 'week' }, TODAY).unit, 'week');
  assert.equal(shownRange({ by: 'day' }, TODAY).unit, 'month');
  assert.deepEqual(shownRange({ range: 'all' }, TODAY).units, ['month']);
  assert.deepEqual(shownRange({ range: '24_months' }, TODAY).units, ['month']);
});

it('days are compared with as many days before, months with months, and none or last year on request', () => {
  for (const [search, comparison] of [
    [{ range: '7' }, 'previous_days'],
    [{ range: 'this_month' }, 'previous_months'],
    [{}, 'previous_months'],
    [{ from: '2026-11-01', to: TODAY }, 'previous_months'],
    [{ from: '2026-02-01', to: '2026-03-31' }, 'previous_months'],
    [{ from: '2026-11-01', to: '2026-11-07' }, 'previous_days'],
    [{ from: '2026-10-02', to: '2026-10-31' }, 'previous_days'],
    [{ range: '7', compare: 'last_year' }, 'last_year'],
    [{ range: '7', compare: 'none' }, undefined],
  ] as const)
    assert.equal(shownRange(search, TODAY).comparison, comparison, JSON.stringify(search));
  // Seven days can begin with a month.
  assert.equal(shownRange({ range: '7' }, '2026-11-07').comparison, 'previous_days');
});

it('a first day after the last one moves the last one, and the other way around', () => {
  const range = { from: '2026-03-02', to: '2026-03-09' };
  assert.deepEqual(changeRange(range, { from: '2026-03-05' }), { from: '2026-03-05', to: '2026-03-09' });
  assert.deepEqual(changeRange(range, { from: '2026-03-10' }), { from: '2026-03-10', to: '2026-03-10' });
  assert.deepEqual(changeRange(range, { to: '2026-03-01' }), { from: '2026-03-01', to: '2026-03-01' });
});

it('a period that has begun is “to date” only if it began with its day, week or month', () => {
  const formats = new Formats('UTC', 'USD');
  const sales = { sales: summarizeDays(NO_SALES), compared: null, is_whole: false };
  for (const [unit, from, expected] of [
    ['day', '2026-11-28', 'Today so far'],
    ['week', '2026-11-23', 'Week to date'],
    ['week', '2026-11-25', 'Only Nov 25 – 28, 2026'],
    ['month', '2026-11-01', 'Month to date'],
    ['month', '2026-11-22', 'Only Nov 22 – 28, 2026'],
  ] as const) {
    const words = partOf({ ...sales, from, to: TODAY, is_running: true }, unit, formats);
    assert.equal(words?.replaceAll(/\s/g, ' '), expected);
  }
  assert.equal(
    partOf(
      { ...sales, from: '2026-10-01', to: '2026-10-31', is_whole: true, is_running: false },
      'month',
      formats,
    ),
    undefined,
  );
});
