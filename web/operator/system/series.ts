import type { SystemMetrics } from '../../../clients/typescript/src/operator-operations.ts';

export type NodeMetrics = SystemMetrics['nodes'][number];
/** What one or several processes measured from `at` on. */
export type Point = NodeMetrics['points'][number];

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Returns a point for each interval of the last day until the newest point; null where nothing was measured.
 * Requests, errors and memory are added up over processes; of the others, the worst counts.
 */
export function seriesOf(nodes: readonly NodeMetrics[], intervalSeconds: number): (Point | null)[] {
  const byTime = new Map<number, Point>();
  for (const { points } of nodes)
    for (const point of points) {
      const at = Date.parse(point.at);
      const other = byTime.get(at);
      byTime.set(at, other === undefined ? point : merge(other, point));
    }
  if (byTime.size === 0) return [];
  const last = Math.max(...byTime.keys());
  const count = DAY_SECONDS / intervalSeconds;
  return Array.from(
    { length: count },
    (_, index) => byTime.get(last - (count - 1 - index) * intervalSeconds * 1000) ?? null,
  );
}

/** Returns the points of each hour as one, the newest first. Hours without points are left out. */
export function hoursOf(series: readonly (Point | null)[]): Point[] {
  const hours = Map.groupBy(
    series.filter((point) => point !== null),
    ({ at }) => at.slice(0, 13),
  );
  return [...hours.values()]
    .map((points) => ({
      ...points.reduce(merge),
      memory_bytes: Math.max(...points.map(({ memory_bytes: bytes }) => bytes)),
    }))
    .reverse();
}

function merge(one: Point, other: Point): Point {
  return {
    at: one.at,
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    p50_ms: worse(one.p50_ms, other.p50_ms),
    p99_ms: worse(one.p99_ms, other.p99_ms),
    loop_delay_ms: Math.max(one.loop_delay_ms, other.loop_delay_ms),
    memory_bytes: one.memory_bytes + other.memory_bytes,
    outbox_seconds: Math.max(one.outbox_seconds, other.outbox_seconds),
  };
}

function worse(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
