import { statement, upsertInto } from '../database/statement.ts';

/** A process that serves the database. Times are milliseconds since 1970. */
export interface NodeRow {
  id: string;
  host: string;
  pid: number;
  version: string;
  started_at: number;
  seen_at: number;
}

/** What a node measured in five minutes. Durations are microseconds; null without requests. */
export interface NodeMetricsRow {
  /** When the five minutes begin, in milliseconds since 1970. */
  at: number;
  node_id: string;
  requests: number;
  errors: number;
  p50: number | null;
  p99: number | null;
  loop_delay: number;
  memory_bytes: number;
  outbox_seconds: number;
}

const nodeColumns = ['host', 'pid', 'version', 'started_at', 'seen_at'] as const;

export const upsertNode = upsertInto<NodeRow>(
  'nodes',
  ['id'],
  nodeColumns,
  'DO UPDATE SET seen_at = excluded.seen_at',
);

/** The newest first. */
export const listNodeRows = statement<{ limit: number }, NodeRow>(
  `SELECT id, ${nodeColumns.join(', ')} FROM nodes ORDER BY seen_at DESC, id LIMIT :limit`,
);

export const deleteNodes = statement<{ before: number }, never>('DELETE FROM nodes WHERE seen_at < :before');

const metricsColumns = [
  'requests',
  'errors',
  'p50',
  'p99',
  'loop_delay',
  'memory_bytes',
  'outbox_seconds',
] as const;

export const insertNodeMetrics = upsertInto<NodeMetricsRow>(
  'node_metrics',
  ['at', 'node_id'],
  metricsColumns,
  'DO NOTHING',
);

/** By time. */
export const listNodeMetrics = statement<{ since: number }, NodeMetricsRow>(
  `SELECT at, node_id, ${metricsColumns.join(', ')} FROM node_metrics WHERE at >= :since ORDER BY at, node_id`,
);

export const deleteNodeMetrics = statement<{ before: number }, never>(
  'DELETE FROM node_metrics WHERE at < :before',
);
