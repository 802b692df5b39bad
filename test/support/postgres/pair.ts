import postgres from 'postgres';
import type { Owner } from '../process.ts';
import { until } from '../until.ts';
import { PostgresNode } from './node.ts';

/** Commits of the primary wait for the standby. The URL names both. */
export interface PostgresPair {
  primary: PostgresNode;
  standby: PostgresNode;
  url: string;
}

/** Resolves once the standby has every commit before it is acknowledged. */
export async function startPair(t: Owner, bin: string): Promise<PostgresPair> {
  const primary = await PostgresNode.create(t, bin);
  // On the command line: the standby would copy a file, but after promotion it has no standby to wait for.
  // Nothing is committed before the standby is connected.
  await primary.start({ synchronous_standby_names: '*', synchronous_commit: 'on' });
  const standby = await PostgresNode.standbyOf(t, primary);
  await standby.start();
  await untilRow(primary, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
  const { host } = new URL(primary.url);
  const both = primary.url.replace(host, `${host},127.0.0.1:${standby.port}`);
  return { primary, standby, url: `${both}?target_session_attrs=read-write` };
}

/** Kills the primary, and resolves once the standby accepts writes in its place. */
export async function failOver({ primary, standby }: PostgresPair): Promise<void> {
  await primary.kill();
  await standby.promote();
  await untilWritable(standby);
}

export async function untilWritable(node: PostgresNode): Promise<void> {
  await untilRow(node, 'SELECT WHERE NOT pg_is_in_recovery()');
}

async function untilRow(node: PostgresNode, query: string): Promise<void> {
  const sql = postgres(node.url, { max: 1 });
  try {
    const exists = async (): Promise<boolean> => (await sql.unsafe(query)).length > 0;
    await until(exists, { timeoutMs: 60_000, intervalMs: 5, message: `no row from ${query}` });
  } finally {
    await sql.end();
  }
}
