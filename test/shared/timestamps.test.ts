import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime, normalizeTime, parseTime } from '../../src/shared/timestamps.ts';
import { fc } from '../support/seed.ts';

const anyMilliseconds = fc.integer({
  min: Date.parse('0000-01-01T00:00:00Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});

describe('times', () => {
  it('are what they were after they have been formatted and parsed', () => {
    fc.assert(
      fc.property(anyMilliseconds, (milliseconds) => {
        const text = formatTime(milliseconds);
        assert.equal(parseTime(text), milliseconds);
        assert.equal(normalizeTime(text), text);
      }),
    );
  });

  it('are the same instant in every time zone and spelling', () => {
    const anyOffset = fc.integer({ min: -23 * 60, max: 23 * 60 });
    fc.assert(
      fc.property(
        anyMilliseconds,
        anyOffset,
        fc.constantFrom('T', 't', ' '),
        (milliseconds, minutes, separator) => {
          const wall = new Date(milliseconds + minutes * 60_000).toISOString();
          fc.pre(/^\d{4}-/.test(wall));
          const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
          const zone = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
          const text = `${wall.slice(0, -1).replace('T', separator)}${zone}`;
          assert.equal(parseTime(text), milliseconds, text);
          assert.equal(normalizeTime(text), formatTime(milliseconds), text);
        },
      ),
    );
  });

  it('have a fraction only if it is not zero, and at most milliseconds', () => {
    assert.equal(normalizeTime('2026-01-31T23:59:59.000Z'), '2026-01-31T23:59:59Z');
    assert.equal(normalizeTime('2026-01-31T23:59:59.5z'), '2026-01-31T23:59:59.500Z');
    assert.equal(normalizeTime('2026-01-31T23:59:59.9999999Z'), '2026-01-31T23:59:59.999Z');
  });

  for (const text of [
    '',
    '2026-01-31',
    '2026-01-31T23:59Z',
    '2026-01-31T23:59:59',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:01Z',
    '2026-01-31T23:60:00Z',
    '2026-01-31T23:59:59+25:00',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    ' 2026-01-31T23:59:59Z',
    '2026-01-31T23:59:59Z\n',
    '+02026-01-31T23:59:59Z',
  ]) {
    it(`are not read from ${JSON.stringify(text)}`, () => {
      assert.equal(parseTime(text), undefined);
      assert.equal(normalizeTime(text), undefined);
    });
  }
});
