import { type Dialect, statement } from '../database.ts';
import { countShardSplits, distributeTables, prepareMigration } from './citus.ts';

export const dialect: Dialect = {
  integer: 'bigint',
  number: 'double precision',
  text: 'text COLLATE "C"',
  bytes: 'bytea',
  compact: '',
  ordinary: '',
  clock: 'CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)',
  // The row first, then one row per item: aggregating them here costs the server more than everything else. Items are
  // varchar, which `PostgresConnection` returns as bytes. `most` is in the text to tell the planner how few rows are
  // needed: a parameter would make it plan the statement each time.
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
  textFrom: (text, part, length) =>
    `substr(${text}, nullif(strpos(substr(${text}, 2), ${part}), 0) + 1, ${length})`,
  // With a separate lookup, the index covers the rest of the statement. Walking it is then the cheapest plan for any
  // estimate of matching rows. Otherwise the planner may choose to sort all of them. Citus routes a statement to one node
  // only if each of its subqueries compares the merchant to a parameter.
  outsideIndex: (value, { table, row, merchantId, key }) =>
    `(SELECT ${value('other')} FROM ${table} AS other
      WHERE other.merchant_id = ${merchantId} AND other.${key} = ${row}.${key})`,
  // Leaves out tables of extensions: they do not mean that another program uses the database.
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
  prepareMigration,
  distributeTables,
  endIfAbandoned: statement<unknown, never>(
    "SELECT set_config('idle_in_transaction_session_timeout', '10000', true)",
  ),
  // Held until the transaction ends, so that it also works behind a pooler that reassigns connections.
  takeGlobalLock: statement<unknown, never>('SELECT pg_advisory_xact_lock(8386093317205)'),
};
