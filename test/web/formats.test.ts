import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Formats } from '../../web/format/formats.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z');
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

function dateTime(options: Intl.DateTimeFormatOptions, time: string): string {
  return new Intl.DateTimeFormat(undefined, options).format(new Date(time));
}

function number(options: Intl.NumberFormatOptions, value: number): string {
  return new Intl.NumberFormat(undefined, options).format(value);
}

for (const browserZone of ['America/Los_Angeles', 'Pacific/Kiritimati']) {
  describe(`formats in a browser in ${browserZone}`, () => {
    beforeEach(() => {
      process.env.TZ = browserZone;
    });

    it('name the month that the API sends, in any time zone of the browser', () => {
      const formats = new Formats('Europe/Lisbon', 'EUR');
      for (const month of ['2026-01', '2026-12']) {
        const middle = `${month}-15T12:00:00Z`;
        assert.equal(
          formats.month(month),
          dateTime({ month: 'long', year: 'numeric', timeZone: 'UTC' }, middle),
        );
        const short = dateTime({ month: 'short', timeZone: 'UTC' }, middle);
        assert.equal(formats.shortMonth(month), `${short} ’26`);
      }
    });

    it('name one thing in the singular, and other numbers of things in the plural', () => {
      const { count } = new Formats('UTC', 'USD');
      assert.deepEqual(
        [0, 1, 2000].map((number) => count(number, 'product')),
        ['0 products', '1 product', `${number({}, 2000)} products`],
      );
    });

    it('name a day as it is, whatever the time zones', () => {
      const formats = new Formats('Pacific/Honolulu', 'USD');
      const middle = '2026-02-11T12:00:00Z';
      const expected = dateTime({ dateStyle: 'medium', timeZone: 'UTC' }, middle);
      assert.equal(formats.calendarDay('2026-02-11'), expected);
      const short = dateTime({ month: 'short', day: 'numeric', timeZone: 'UTC' }, middle);
      assert.equal(formats.shortCalendarDay('2026-02-11'), short);
    });

    it("show days and times in the merchant's time zone", () => {
      const formats = new Formats('Asia/Tokyo', 'JPY');
      const time = '2026-03-31T23:30:00Z';
      assert.equal(formats.day(time), dateTime({ dateStyle: 'medium', timeZone: 'UTC' }, '2026-04-01'));
      assert.equal(
        formats.time(time),
        dateTime({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }, '2026-04-01T08:30:00Z'),
      );
      const [day, hour] = [formats.shortDay(time), formats.hour(time)];
      assert.equal(day, dateTime({ month: 'short', day: 'numeric', timeZone: 'UTC' }, '2026-04-01'));
      assert.equal(hour, dateTime({ hour: 'numeric', timeZone: 'UTC' }, '2026-04-01T08:30:00Z'));
    });
  });
}

describe('relative times', () => {
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const formats = new Formats('UTC', 'USD');
  for (const sign of [-1, 1]) {
    for (const [seconds, value, unit] of [
      [0, 0, 'second'],
      [59, 0, 'second'],
      [MINUTE, 1, 'minute'],
      [3 * MINUTE + 29, 3, 'minute'],
      [31 * MINUTE, 31, 'minute'],
      [HOUR - 31, 59, 'minute'],
      [HOUR, 1, 'hour'],
      [2.4 * HOUR, 2, 'hour'],
      [15 * HOUR, 15, 'hour'],
      [DAY - HOUR, 23, 'hour'],
      [DAY, 1, 'day'],
      [29 * DAY, 29, 'day'],
    ] as const) {
      it(`says ${sign * value} ${unit} for ${sign * seconds} seconds`, (t) => {
        t.mock.timers.enable({ apis: ['Date'], now: NOW });
        const time = new Date(NOW + sign * seconds * 1000).toISOString();
        assert.equal(formats.ago(time), relative.format(value === 0 ? 0 : sign * value, unit));
      });
    }
  }

  it('are replaced by the date after 30 days', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: NOW });
    const time = new Date(NOW - 30 * DAY * 1000).toISOString();
    assert.equal(formats.ago(time), dateTime({ dateStyle: 'medium', timeZone: 'UTC' }, '2026-02-13'));
  });
});

describe('numbers', () => {
  const formats = new Formats('UTC', 'USD');

  it('have the right number of decimals for their kind', () => {
    assert.equal(formats.whole(1234), number({}, 1234));
    assert.equal(formats.rating(4.5), number({ minimumFractionDigits: 2 }, 4.5));
    assert.equal(formats.percent(0.5), number({ style: 'percent', minimumFractionDigits: 1 }, 0.5));
    assert.equal(formats.wholePercent(0.256), number({ style: 'percent' }, 0.256));
  });

  it('of money have the currency and two decimals, in every currency', () => {
    for (const currency of ['USD', 'JPY', 'KWD']) {
      const { money } = new Formats('UTC', currency);
      const options = {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      } as const;
      assert.equal(money(21_095.418), number(options, 21_095.42));
      assert.equal(money(12.5), number(options, 12.5));
    }
  });

  it('of bytes are shown in the largest unit that fits', () => {
    const bytes = (value: number, unit: string, unitDisplay: 'long' | 'short'): string =>
      number({ style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }, value);
    assert.equal(formats.bytes(0), bytes(0, 'byte', 'long'));
    assert.equal(formats.bytes(329), bytes(329, 'byte', 'long'));
    assert.equal(formats.bytes(999), bytes(999, 'byte', 'long'));
    assert.equal(formats.bytes(1000), bytes(1, 'kilobyte', 'short'));
    assert.equal(formats.bytes(1_550_000), bytes(1.6, 'megabyte', 'short'));
    assert.equal(formats.bytes(3e12), bytes(3000, 'gigabyte', 'short'));
  });
});
