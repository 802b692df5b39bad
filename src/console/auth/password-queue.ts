import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { widestNetworkOf } from '../../http/gate/networks.ts';
import { FairQueue, QueueFull } from '../../shared/fair-queue.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { refusals } from '../errors.ts';
import { isCommonPassword, type PasswordOwner } from './common-passwords.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

// Hashing runs on the threads that files and compression need too: sign-ins get half of them.
const AT_ONCE = 2;
/** A waiting request takes a few kilobytes. Past this, the network with the most waiting loses its newest. */
const MAX_WAITING = 1_000;
const MOST_WAIT_MS = 30_000;

/** Who waits for a hash. */
interface Waiter {
  network: string;
  isGone(): boolean;
}

/**
 * Hashes passwords a few at a time, taking turns between networks (IPv4 /24, IPv6 /48): however many attempts
 * come from others, a request waits for at most one of each other network.
 */
export class PasswordQueue {
  readonly #queue = new FairQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });
  // better-auth calls `hash` and `verify` without the request that they are for.
  readonly #waiter = new AsyncLocalStorage<Waiter>();

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Runs `work` for a request: the passwords that are hashed in it wait in the line of the request's network. */
  serve<T>(
    request: FastifyRequest,
    { trustedProxies }: Pick<Config, 'trustedProxies'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const network = widestNetworkOf(clientAddress(request, trustedProxies));
    return this.#waiter.run({ network, isGone: () => request.raw.socket.destroyed }, work);
  }

  /**
   * As `hashPassword`, within `serve`.
   * @throws {HttpError} 503 if its turn does not come in time
   */
  readonly hash = (password: string): Promise<string> => this.#inTurn(() => hashPassword(password));

  /** As `verifyPassword`. @throws as `hash` */
  readonly verify = (given: { hash: string; password: string }): Promise<boolean> =>
    this.#inTurn(() => verifyPassword(given));

  /** As `isCommonPassword`. @throws as `hash` */
  readonly isCommon = (password: string, owner: PasswordOwner): Promise<boolean> =>
    this.#inTurn(() => isCommonPassword(password, owner));

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const waiter = this.#waiter.getStore();
    if (waiter === undefined) throw new Error('passwords are hashed for requests only');
    const started = Promise.withResolvers<'started'>();
    let isLate = false;
    const done = this.#queue.run(waiter.network, async () => {
      // Its turn costs nothing then.
      if (isLate || waiter.isGone()) throw refusals.sign_in_busy();
      started.resolve('started');
      return await work();
    });
    done.catch(started.reject);
    try {
      isLate = (await withTimeout(MOST_WAIT_MS, started.promise, 'late')) === 'late';
    } catch (error) {
      throw error instanceof QueueFull ? refusals.sign_in_busy() : error;
    }
    if (isLate) throw refusals.sign_in_busy();
    return await done;
  }
}
