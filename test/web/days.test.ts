import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOfDay, startOfDay, startOfDaysAgo } from '../../web/format/days.ts';

describe('a day', () => {
  it('begins and ends at midnight in its time zone, also when clocks change', () => {
    const days: [day: string, timeZone: string, start: string, end: string][] = [
      ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.000Z'],
      ['2026-03-02', 'America/New_York', '2026-03-02T05:00:00.000Z', '2026-03-03T04:59:59.000Z'],
      ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z'],
      ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z'],
      ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.000Z'],
    ];
    for (const [day, timeZone, start, end] of days)
      assert.deepEqual([startOfDay(day, timeZone), endOfDay(day, timeZone)], [start, end]);
  });

  it('that was some days ago is counted from today in the time zone', () => {
    const now = Date.parse('2026-03-30T02:30:00Z');
    assert.equal(startOfDaysAgo(1, now, 'UTC'), '2026-03-29T00:00:00.000Z');
    assert.equal(startOfDaysAgo(1, now, 'America/New_York'), '2026-03-28T04:00:00.000Z');
    assert.equal(startOfDaysAgo(7, now, 'Europe/Berlin'), '2026-03-22T23:00:00.000Z');
    assert.equal(startOfDaysAgo(1, now, 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
  });
});
