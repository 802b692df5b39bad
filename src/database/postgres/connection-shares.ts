import { FairQueue } from '../../shared/fair-queue.ts';
import { DatabaseUnavailable } from '../database.ts';

/** The maximum number of connections per process. */
export const CONNECTIONS = 10;
/** The maximum number of connections that one share uses; the others always have the rest. A whole node can hang. */
export const CONNECTIONS_PER_SHARE = { merchant: 9, node: 6 };
/**
 * A share that uses all of its connections and has had no response for this long is stalled. At the end of moving a
 * merchant's rows, a busy node may pause for more than a second.
 */
const STALLED_MS = 3_000;

/**
 * Divides the connections of a pool into shares: one per node of a cluster, or one per merchant. A node that hangs or a
 * merchant whose statements are slow uses only its own share. While a share is stalled, its other work is refused, so
 * that its requests do not wait for connections that do not become free.
 */
export class ConnectionShares {
  readonly #perShare: number;
  readonly #queue: FairQueue;
  /** When each share in use last had a response or began to use a connection. */
  readonly #activeAt = new Map<string, number>();

  /** `perShare` is the maximum number of connections that one share uses. */
  constructor(perShare: number) {
    this.#perShare = perShare;
    this.#queue = new FairQueue({ maxRunning: CONNECTIONS, perQueue: perShare });
  }

  /**
   * Runs a job that uses one connection when it is its share's turn. The job calls `alive` each time the server
   * responds. The connection is in use until the job settles.
   * @throws {DatabaseUnavailable} if the share is stalled
   */
  async run<T>(share: string, job: (alive: () => void) => Promise<T>): Promise<T> {
    const alive = (): void => void this.#activeAt.set(share, performance.now());
    if (this.#queue.lengthOf(share) === 0) alive();
    const turn = Promise.withResolvers<void>();
    let isRefused = false;
    const result = this.#queue.run(share, async () => {
      if (isRefused) throw stalled();
      turn.resolve();
      try {
        return await job(alive);
      } finally {
        alive();
      }
    });
    const forget = (): void => {
      if (this.#queue.lengthOf(share) === 0) this.#activeAt.delete(share);
    };
    result.then(forget, forget);
    if (this.#queue.lengthOf(share) > this.#perShare) {
      try {
        await this.#orStalled(share, turn.promise);
      } catch (error) {
        isRefused = true;
        throw error;
      }
    }
    return await result;
  }

  /** Resolves with `turn`. @throws {DatabaseUnavailable} if the share is stalled before that */
  async #orStalled(share: string, turn: Promise<void>): Promise<void> {
    const refusal = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    const check = (): void => {
      const remaining = (this.#activeAt.get(share) ?? 0) + STALLED_MS - performance.now();
      if (remaining <= 0) refusal.reject(stalled());
      else timer = setTimeout(checkNext, remaining);
    };
    // If this process was paused, it first reads the responses that have arrived.
    const checkNext = (): void => {
      immediate = setImmediate(check);
    };
    checkNext();
    try {
      await Promise.race([turn, refusal.promise]);
    } finally {
      clearTimeout(timer);
      clearImmediate(immediate);
    }
  }
}

function stalled(): DatabaseUnavailable {
  return new DatabaseUnavailable('the database does not respond for this merchant');
}
