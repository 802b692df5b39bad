import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hoursOf, type NodeMetrics, type Point, seriesOf } from '../../web/operator/system/series.ts';

const node = {
  id: 'a',
  host: 'shop-1',
  pid: 1,
  version: '0.1.0',
  started_at: '2026-03-05T00:00:00Z',
  seen_at: '2026-03-05T12:00:00Z',
  running: true,
};
const point = (at: string, values: Partial<Point> = {}): Point => ({
  at: `2026-03-05T${at}:00Z`,
  requests: 10,
  errors: 1,
  p50_ms: null,
  p99_ms: null,
  loop_delay_ms: 1,
  memory_bytes: 100,
  outbox_seconds: 0,
  ...values,
});
const measured = (...points: Point[]): NodeMetrics => ({ node, points });

it('the points of several processes add up requests and memory, and keep the worst of the rest', () => {
  const series = seriesOf(
    [
      measured(point('11:50'), point('11:55', { p99_ms: 20, loop_delay_ms: 7 })),
      measured(point('11:55', { p99_ms: 30, outbox_seconds: 5 })),
    ],
    300,
  );
  assert.equal(series.length, 288);
  assert.deepEqual(series.slice(-3), [
    null,
    point('11:50'),
    point('11:55', {
      requests: 20,
      errors: 2,
      p99_ms: 30,
      loop_delay_ms: 7,
      memory_bytes: 200,
      outbox_seconds: 5,
    }),
  ]);
  assert.deepEqual(seriesOf([], 300), []);
});

it('an hour adds up its requests, and has its highest memory and times', () => {
  const series = [point('10:55'), null, point('11:00', { memory_bytes: 300 }), point('11:05', { p50_ms: 2 })];
  assert.deepEqual(hoursOf(series), [
    point('11:00', { requests: 20, errors: 2, p50_ms: 2, memory_bytes: 300 }),
    point('10:55'),
  ]);
});
