import { type Reader, statement } from '../database.ts';

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
    const known = this.#nodes.get(merchantId);
    if (known !== undefined && performance.now() - known.readAt < REFRESH_MS) return known.node;
    const node = (await reader.first(findNode, { owner: merchantId }))?.node ?? 'no node';
    if (this.#nodes.size >= MAX_MERCHANTS) this.#nodes.clear();
    this.#nodes.set(merchantId, { node, readAt: performance.now() });
    return node;
  }
}
