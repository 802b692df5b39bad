import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { debianBinaries } from '../support/postgres/binaries.ts';
import { connectNodes, query } from '../support/postgres/citus-nodes.ts';
import { PostgresNode } from '../support/postgres/node.ts';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '200',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_worker_processes: '32',
  // PostgreSQL 15.20 and its counterparts allow only listed plugins. Isolating a tenant needs Citus's.
  output_plugin_libraries: 'pgoutput,test_decoding,citus',
  'citus.node_conninfo': 'sslmode=prefer',
  // Fewer than the 32 of an installation, because the tests move them.
  'citus.shard_count': '8',
  // Every node has the same user. Each database that joins would write it again, and two at once would fail.
  'citus.enable_create_role_propagation': 'off',
  'citus.enable_alter_role_propagation': 'off',
};

/** PostgreSQL's programs with the Citus extension; undefined if it is not installed. */
export async function citusBinaries(): Promise<string | undefined> {
  const bin = await debianBinaries();
  return bin !== undefined && existsSync(join(bin, '../lib/citus.so')) ? bin : undefined;
}

export const withoutCitus: string | false =
  (await citusBinaries()) === undefined &&
  'Citus is not installed: docs/how-to/distribute-postgresql.md explains how to build it';

/** A coordinator without rows of merchants, and two workers. */
export class CitusCluster {
  readonly coordinator: PostgresNode;
  readonly workers: readonly PostgresNode[];

  private constructor(coordinator: PostgresNode, workers: readonly PostgresNode[]) {
    this.coordinator = coordinator;
    this.workers = workers;
  }

  /** Each node's `url` names its database. */
  static async start(t: Owner): Promise<CitusCluster> {
    const bin = await citusBinaries();
    if (bin === undefined) throw new Error(String(withoutCitus));
    const coordinator = await PostgresNode.create(t, bin);
    const { password } = coordinator;
    const workers = [
      await PostgresNode.create(t, bin, password),
      await PostgresNode.create(t, bin, password),
    ];
    const cluster = new CitusCluster(coordinator, workers);
    await Promise.all(cluster.nodes.map((node) => node.start(SETTINGS)));
    await connectNodes(cluster.nodes.map(({ url }) => url));
    return cluster;
  }

  get nodes(): readonly PostgresNode[] {
    return [this.coordinator, ...this.workers];
  }

  async add(t: Owner): Promise<PostgresNode> {
    const node = await PostgresNode.create(t, await citusBinaries(), this.coordinator.password);
    await node.start(SETTINGS);
    await connectNodes([this.coordinator.url, node.url], { onlyWorkers: true });
    return node;
  }

  async restart(node: PostgresNode): Promise<void> {
    await node.start(SETTINGS);
  }

  async query<Row>(statement: string): Promise<Row[]> {
    return await query<Row>(this.coordinator.url, statement);
  }

  async nodeOf({ id }: { id: number }): Promise<PostgresNode> {
    const [row] = await this.query<{ port: number }>(
      `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
       WHERE p.shardid = get_shard_id_for_distribution_column('merchant_counters', ${id}::bigint)`,
    );
    const node = this.nodes.find(({ port }) => port === row?.port);
    if (node === undefined) throw new Error(`no node has merchant ${id}`);
    return node;
  }

  async untilRow(statement: string): Promise<void> {
    const exists = async (): Promise<boolean> => (await this.query(statement)).length > 0;
    await until(exists, { timeoutMs: 600_000, intervalMs: 50, message: `no row from ${statement}` });
  }
}
