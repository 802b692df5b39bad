import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { PostgresNode } from './postgres-node.ts';
import type { Owner } from './process.ts';

/** A primary whose commits wait for its standby, and one address for both. */
export interface PostgresPair {
  primary: PostgresNode;
  standby: PostgresNode;
  url: string;
}

/** Resolves once no commit is acknowledged that the standby has not. */
export async function startPair(t: Owner, bin: string): Promise<PostgresPair> {
  const primary = await PostgresNode.create(t, bin);
  // On its command line and in no file, which the standby would copy: promoted, that one has no standby of
  // its own to wait for. Nobody commits anything before it is there.
  await primary.start({ synchronous_standby_names: '*', synchronous_commit: 'on' });
  const standby = await PostgresNode.standbyOf(t, primary);
  await standby.start();
  await untilRow(primary, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
  const { host } = new URL(primary.url);
  const both = primary.url.replace(host, `${host},127.0.0.1:${standby.port}`);
  return { primary, standby, url: `${both}?target_session_attrs=read-write` };
}

/** Resolves once a node takes writes. */
export async function untilWritable(node: PostgresNode): Promise<void> {
  await untilRow(node, 'SELECT WHERE NOT pg_is_in_recovery()');
}

async function untilRow(node: PostgresNode, query: string): Promise<void> {
  const sql = postgres(node.url, { max: 1 });
  try {
    while ((await sql.unsafe(query)).length === 0) await pause(5);
  } finally {
    await sql.end();
  }
}
