import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { INTERVAL_MS, KEPT_MS, MISSING_AFTER_MS } from './intervals.ts';
import { listNodeMetrics, listNodeRows, type NodeMetricsRow, type NodeRow } from './queries.ts';

/** Programs that end and start again all the time leave many nodes. */
const MAX_NODES = 100;

/** A process that serves the database, or did so in the last day. */
export interface SystemNode {
  id: string;
  host: string;
  pid: number;
  version: string;
  started_at: string;
  seen_at: string;
  /** Whether it was seen in the last two and a half minutes. */
  running: boolean;
}

/** What a process measured in five minutes. */
export interface NodePoint {
  /** When the five minutes begin. */
  at: string;
  requests: number;
  errors: number;
  p50_ms: number | null;
  p99_ms: number | null;
  loop_delay_ms: number;
  memory_bytes: number;
  outbox_seconds: number;
}

export interface NodeMetrics {
  node: SystemNode;
  /** By time. */
  points: NodePoint[];
}

interface Services {
  database: Pick<Reader, 'all'>;
  now: () => number;
}

/** Resolves to the nodes of the last day, the newest first. */
export async function readNodes({ database, now }: Services): Promise<SystemNode[]> {
  const rows = await database.all(listNodeRows, { limit: MAX_NODES });
  return rows.map((row) => describe(row, now()));
}

/** Resolves to what the nodes measured in the last day, with a point for each five minutes. */
export async function readMetrics({ database, now }: Services): Promise<NodeMetrics[]> {
  const since = now() - KEPT_MS;
  const nodes = await readNodes({ database, now });
  const points = Map.groupBy(
    await database.all(listNodeMetrics, { since: since - (since % INTERVAL_MS) + INTERVAL_MS }),
    ({ node_id: id }) => id,
  );
  return nodes.map((node) => ({ node, points: (points.get(node.id) ?? []).map(pointOf) }));
}

function describe({ started_at, seen_at, ...node }: NodeRow, now: number): SystemNode {
  return {
    ...node,
    started_at: formatTime(started_at),
    seen_at: formatTime(seen_at),
    running: now - seen_at <= MISSING_AFTER_MS,
  };
}

function pointOf({ at, node_id: _, p50, p99, loop_delay, ...row }: NodeMetricsRow): NodePoint {
  const milliseconds = (value: number | null): number | null => value && value / 1000;
  return {
    ...row,
    at: formatTime(at),
    p50_ms: milliseconds(p50),
    p99_ms: milliseconds(p99),
    loop_delay_ms: loop_delay / 1000,
  };
}
