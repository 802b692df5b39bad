import type { Connection, Reader } from '../database.ts';
import { type Statement, statement } from '../statement.ts';

const findExtension = statement<unknown, { version: string }>(
  "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
);

/** Otherwise, Citus does not change tables after a transaction has used several connections to one node. */
const useOneConnectionPerNode = statement<unknown, never>(
  "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
);

/** A table whose primary key begins with `merchant_id` must be distributed, and no other table. */
const listTables = statement<unknown, { name: string; owned: number; place: string | null }>(
  `SELECT c.relname AS name, CASE a.attname WHEN 'merchant_id' THEN 1 ELSE 0 END AS owned, p.partmethod AS place
   FROM pg_class c
   JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
   LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
   WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
   ORDER BY c.relname`,
);

/** Citus holds this lock while it splits shards. */
export const countShardSplits = statement<unknown, { splits: number }>(
  "SELECT count(*) AS splits FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = 1 AND objsubid = 9",
);

export async function isCluster(reader: Pick<Reader, 'first'>): Promise<boolean> {
  return (await reader.first(findExtension)) !== undefined;
}

/** Does nothing on servers other than Citus. */
export async function prepareMigration(connection: Connection): Promise<void> {
  if (await isCluster(connection)) await connection.run(useOneConnectionPerNode);
}

/** Moves tables of a Citus cluster that are not on the nodes where they belong. */
export async function distributeTables(connection: Connection): Promise<void> {
  if (!(await isCluster(connection))) return;
  const rows = await connection.all(listTables);
  const tables = rows.map(({ name, place, owned }) => ({
    name,
    isDistributed: place !== null,
    isOwned: owned === 1,
  }));
  let other = tables.find(({ isOwned, isDistributed }) => isOwned && isDistributed)?.name;
  for (const { name, isOwned, isDistributed } of tables) {
    if (!isOwned && isDistributed) await connection.all(call(`undistribute_table('${name}')`));
    if (!isOwned || isDistributed) continue;
    await connection.all(
      call(`create_distributed_table('${name}', 'merchant_id', colocate_with => '${other ?? 'none'}')`),
    );
    other ??= name;
  }
}

function call(text: string): Statement<unknown, never> {
  return statement(`SELECT ${text}`);
}
