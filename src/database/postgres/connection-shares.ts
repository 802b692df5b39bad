import { FairQueue } from '../../shared/fair-queue.ts';
import { Tally } from '../../shared/tally.ts';
import { DatabaseUnavailable } from '../database.ts';

/** The maximum per process. */
export const CONNECTIONS = 10;
/** For what uses rows of no merchant. */
export const NO_MERCHANT = 'no merchant';
/** For what uses rows of several merchants, and waits if any node hangs. */
export const EVERY_NODE = 'every node';
/** The most that one share uses. If a node hangs, so do its share and the share of every node. */
export const CONNECTIONS_PER_SHARE = { merchant: 9, node: 5, everyNode: 2 };
/** The most that one merchant uses of its node's share. */
export const CONNECTIONS_OF_NODE_PER_MERCHANT = 4;
/** A busy node may pause for more than a second when it finishes moving a merchant's rows. */
const STALLED_MS = 3_000;

/**
 * Divides a pool's connections into shares, one per merchant or, in a cluster, per node, so that a merchant
 * with slow statements or a node that hangs uses only its own. The merchants of a node take turns. A stalled
 * share, in full use without a response for `STALLED_MS`, refuses work instead of letting it wait.
 */
export class ConnectionShares {
  readonly #perShare: (share: string) => number;
  readonly #queue: FairQueue;
  /** The turns of merchants, by node. */
  readonly #turns = new Map<string, FairQueue>();
  /** Jobs that wait or run. */
  readonly #jobs = new Tally<string>();
  /** When each share in use last had a response, ended a job, or got its first job. */
  readonly #activeAt = new Map<string, number>();

  constructor({ isDistributed }: { isDistributed: boolean }) {
    const { merchant, node, everyNode } = CONNECTIONS_PER_SHARE;
    const inCluster = (share: string): number => (share === EVERY_NODE ? everyNode : node);
    this.#perShare = isDistributed ? inCluster : () => merchant;
    this.#queue = new FairQueue({ maxRunning: CONNECTIONS, perQueue: this.#perShare });
  }

  /**
   * Runs a job on one connection in its share's turn, and its merchant's if the share is a node. The job
   * calls `alive` when the server responds.
   * @throws {DatabaseUnavailable} if the share is stalled
   */
  async run<T>(
    { share, merchant }: { share: string; merchant?: string },
    job: (alive: () => void) => Promise<T>,
  ): Promise<T> {
    const alive = (): void => void this.#activeAt.set(share, performance.now());
    if (this.#jobs.of(share) === 0) alive();
    this.#jobs.add(share);
    const refusal = new AbortController();
    let hasStarted = false;
    let stopWatching = (): void => {};
    const begin = async (): Promise<T> => {
      hasStarted = true;
      stopWatching();
      try {
        return await job(alive);
      } finally {
        alive();
      }
    };
    const inShare = (): Promise<T> => this.#queue.run(share, begin, refusal.signal);
    const result =
      merchant === undefined ? inShare() : this.#turnsOf(share).run(merchant, inShare, refusal.signal);
    const most = merchant === undefined ? this.#perShare(share) : CONNECTIONS_OF_NODE_PER_MERCHANT;
    if (!hasStarted && this.#jobs.of(share) > most)
      stopWatching = this.#whenStalled(share, () => refusal.abort(stalled()));
    try {
      return await result;
    } finally {
      this.#jobs.subtract(share);
      if (this.#jobs.of(share) === 0) this.#activeAt.delete(share);
    }
  }

  #turnsOf(share: string): FairQueue {
    const limits = { maxRunning: this.#perShare(share), perQueue: CONNECTIONS_OF_NODE_PER_MERCHANT };
    const turns = this.#turns.get(share) ?? new FairQueue(limits);
    this.#turns.set(share, turns);
    return turns;
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
