import type { Dialect } from '../database.ts';
import { statement } from '../statement.ts';
import { countShardSplits, distributeTables, isCluster, prepareMigration } from './citus.ts';

export const dialect: Dialect = {
  integer: 'bigint',
  number: 'double precision',
  text: 'text COLLATE "C"',
  bytes: 'bytea',
  compact: '',
  ordinary: '',
  clock: 'CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)',
  // One row for each item: aggregating them costs the server more than everything else. `PostgresConnection`
  // returns varchar as bytes. `most` is literal: with a parameter, the server would plan each time.
  withItems: <Parameters, Row>(
    { columns, sql }: { columns: readonly string[]; sql: string },
    items: string,
    most: number,
  ) =>
    statement<Parameters & { limit: number }, Row>(
      `SELECT ${columns.join(', ')}, NULL AS item FROM (${sql}) AS one UNION ALL
       (SELECT ${columns.map(() => 'NULL').join(', ')}, CAST(item AS varchar)
        FROM (${items} LIMIT ${most}) AS few LIMIT CAST(:limit AS bigint))`,
    ),
  asBytes: (text) => `CAST(${text} AS varchar)`,
  jsonColumns: (names) => {
    const columns = names.map((name) => `'${name}', json_agg(${name})`);
    return `CAST(json_build_object(${columns.join(', ')}) AS text)`;
  },
  textFrom: (text, part, length) =>
    `substr(${text}, nullif(strpos(substr(${text}, 2), ${part}), 0) + 1, ${length})`,
  // With a separate lookup, the index covers the rest and is always the cheapest plan. Otherwise the planner
  // may sort all rows. For Citus, each subquery must compare the merchant to a parameter, to be routed to one
  // node.
  outsideIndex: (value, { table, row, merchantId, key }) =>
    `(SELECT ${value('other')} FROM ${table} AS other
      WHERE other.merchant_id = ${merchantId} AND other.${key} = ${row}.${key})`,
  // Extensions' tables do not mean that another program uses the database.
  listTables: statement<unknown, { name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d
                       WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
  ),
  listColumns: statement<{ table: string }, { name: string }>(
    `SELECT a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = :table
       AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attnum`,
  ),
  countShardSplits,
  isCluster,
  prepareMigration,
  distributeTables,
  endIfAbandoned: statement<unknown, never>(
    "SELECT set_config('idle_in_transaction_session_timeout', '10000', true)",
  ),
  waitBrieflyForLocks: statement<unknown, never>("SELECT set_config('lock_timeout', '2000', true)"),
  // Held until the transaction ends: this also works behind a pooler that reassigns connections.
  takeGlobalLock: statement<unknown, never>('SELECT pg_advisory_xact_lock(8386093317205)'),
};
