import type { Reader } from '../database.ts';
import { statement } from '../statement.ts';

/** A merchant can be moved to another node. */
const REFRESH_MS = 30_000;
const MAX_MERCHANTS = 100_000;

// Not named `merchantId`: the statement needs no share of the merchant's node.
const findNode = statement<{ owner: number }, { node: string }>(
  `SELECT 'node ' || p.groupid AS node FROM pg_dist_placement p
   WHERE p.shardid = get_shard_id_for_distribution_column('merchant_counters', CAST(:owner AS bigint))`,
);

export class MerchantNodes {
  readonly #nodes = new Map<number, { node: string; readAt: number }>();

  /** The name may be outdated by half a minute. */
  async find(reader: Pick<Reader, 'first'>, merchantId: number): Promise<string> {
    const cached = this.#nodes.get(merchantId);
    if (cached !== undefined && performance.now() - cached.readAt < REFRESH_MS) return cached.node;
    const node = (await reader.first(findNode, { owner: merchantId }))?.node ?? 'no node';
    if (this.#nodes.size >= MAX_MERCHANTS) this.#nodes.clear();
    this.#nodes.set(merchantId, { node, readAt: performance.now() });
    return node;
  }
}
