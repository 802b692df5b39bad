import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { widestNetworkOf } from '../../http/gate/networks.ts';
import { FairQueue, QueueFull } from '../../shared/fair-queue.ts';
import { consoleErrors } from '../errors.ts';
import { isCommonPassword, type PasswordOwner } from './common-passwords.ts';
import { type HashCost, hashPassword, verifyPassword } from './passwords.ts';

// Half of the threads of Node's pool, which files and compression need too.
const CONCURRENT_HASHES = 2;
/** A request takes a few kilobytes. Above this, the network with the most requests loses its newest. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 30_000;

interface Waiter {
  network: string;
  isGone(): boolean;
}

/** Hashes a few passwords at a time. Networks (IPv4 /24, IPv6 /48) take turns, one request each. */
export class PasswordQueue {
  readonly #queue = new FairQueue({ maxRunning: CONCURRENT_HASHES, maxWaiting: MAX_WAITING });
  // Needed because better-auth calls `hash` and `verify` without the request.
  readonly #waiter = new AsyncLocalStorage<Waiter>();
  readonly #cost: HashCost | undefined;

  /** `cost` is of the hashes of new passwords, if it is not the default of `hashPassword`. */
  constructor(cost?: HashCost) {
    this.#cost = cost;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Runs `work` for a request. Passwords that it hashes wait in the queue of the request's network. */
  serve<T>(
    request: FastifyRequest,
    { trustedProxies }: Pick<Config, 'trustedProxies'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const network = widestNetworkOf(clientAddress(request, trustedProxies));
    return this.#waiter.run({ network, isGone: () => request.raw.socket.destroyed }, work);
  }

  /** Call it within `serve`. @throws {DomainError} 503 if the queue is full, or the wait too long */
  readonly hash = (password: string): Promise<string> =>
    this.#enqueue(() => hashPassword(password, this.#cost));

  /** Throws like `hash`. */
  readonly verify = (input: { hash: string; password: string }): Promise<boolean> =>
    this.#enqueue(() => verifyPassword(input));

  /** Throws like `hash`. */
  readonly isCommon = (password: string, owner: PasswordOwner): Promise<boolean> =>
    this.#enqueue(() => isCommonPassword(password, owner));

  async #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const waiter = this.#waiter.getStore();
    if (waiter === undefined) throw new Error('passwords can only be hashed within serve');
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(consoleErrors.sign_in_busy()), MAX_WAIT_MS);
    const hash = async (): Promise<T> => {
      clearTimeout(timer);
      // Throwing ends the turn, so the next request starts immediately.
      if (waiter.isGone()) throw consoleErrors.sign_in_busy();
      return await work();
    };
    try {
      return await this.#queue.run(waiter.network, hash, waiting.signal);
    } catch (error) {
      throw error instanceof QueueFull ? consoleErrors.sign_in_busy() : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
