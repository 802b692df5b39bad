import { FairQueue } from '../../shared/fair-queue.ts';
import { DatabaseUnavailable } from '../database.ts';

/** The maximum per process. */
export const CONNECTIONS = 10;
/** For what uses rows of no merchant. */
export const NO_MERCHANT = 'no merchant';
/** For what uses rows of several merchants, and waits if any node hangs. */
export const EVERY_NODE = 'every node';
/** The most that one share uses. If a node hangs, so do its share and the share of every node. */
export const CONNECTIONS_PER_SHARE = { merchant: 9, node: 5, everyNode: 2 };
/** A busy node may pause for more than a second when it finishes moving a merchant's rows. */
const STALLED_MS = 3_000;

/**
 * Divides a pool's connections into shares, one per merchant or, in a cluster, per node, so that a merchant
 * with slow statements or a node that hangs uses only its own. A stalled share, in full use without a response
 * for `STALLED_MS`, refuses work instead of letting it wait.
 */
export class ConnectionShares {
  readonly #perShare: (share: string) => number;
  readonly #queue: FairQueue;
  /** When each share in use last had a response or began to use a connection. */
  readonly #activeAt = new Map<string, number>();

  constructor({ isDistributed }: { isDistributed: boolean }) {
    const { merchant, node, everyNode } = CONNECTIONS_PER_SHARE;
    const inCluster = (share: string): number => (share === EVERY_NODE ? everyNode : node);
    this.#perShare = isDistributed ? inCluster : () => merchant;
    this.#queue = new FairQueue({ maxRunning: CONNECTIONS, perQueue: this.#perShare });
  }

  /**
   * Runs a job on one connection in its share's turn. The job calls `alive` when the server responds.
   * @throws {DatabaseUnavailable} if the share is stalled
   */
  async run<T>(share: string, job: (alive: () => void) => Promise<T>): Promise<T> {
    const alive = (): void => void this.#activeAt.set(share, performance.now());
    if (this.#queue.lengthOf(share) === 0) alive();
    const refusal = new AbortController();
    let stopWatching = (): void => {};
    const result = this.#queue.run(
      share,
      async () => {
        stopWatching();
        try {
          return await job(alive);
        } finally {
          alive();
        }
      },
      refusal.signal,
    );
    if (this.#queue.lengthOf(share) > this.#perShare(share))
      stopWatching = this.#whenStalled(share, () => refusal.abort(stalled()));
    try {
      return await result;
    } finally {
      if (this.#queue.lengthOf(share) === 0) this.#activeAt.delete(share);
    }
  }

  /** Calls `refuse` once the share is stalled. Returns a function that stops this. */
  #whenStalled(share: string, refuse: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    const check = (): void => {
      const remaining = (this.#activeAt.get(share) ?? 0) + STALLED_MS - performance.now();
      if (remaining <= 0) refuse();
      else timer = setTimeout(checkNext, remaining);
    };
    // If this process was paused, it first reads the responses that have arrived.
    const checkNext = (): void => {
      immediate = setImmediate(check);
    };
    checkNext();
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  }
}

function stalled(): DatabaseUnavailable {
  return new DatabaseUnavailable('the database does not respond for this merchant');
}
