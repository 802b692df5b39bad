import { decodeError, type EncodedError } from '../database/encode-error.ts';
import { DomainError } from '../errors/domain-error.ts';

/** The response as JSON text, or why the call changed nothing. Plain data. */
export type CallResult = { json: string } | { error: EncodedError };

interface WaitingCall<Call> {
  call: Call;
  resolve(json: string): void;
  reject(error: unknown): void;
}

const MAX_GROUP_SIZE = 50;

/**
 * Runs calls that write. Waiting calls of one merchant share one transaction, which reads and writes their
 * records together. A call that comes alone waits for nothing.
 */
export class GroupedCalls<Call> {
  readonly #write: (merchantId: number, calls: readonly Call[]) => Promise<CallResult[]>;
  /** The waiting calls by merchant. A merchant whose calls are running has a list. */
  readonly #waiting = new Map<number, WaitingCall<Call>[]>();

  /**
   * `write` runs calls of one merchant, or of the operator, in one transaction. It resolves to the results of
   * as many calls as were run, from the first.
   */
  constructor(write: (merchantId: number, calls: readonly Call[]) => Promise<CallResult[]>) {
    this.#write = write;
  }

  /**
   * Runs a call after the merchant's earlier calls. Resolves after the commit, to the response as JSON text.
   * @throws {DomainError} if the call failed and changed nothing
   */
  run(merchantId: number, call: Call): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const waiting = this.#waiting.get(merchantId);
    const next = { call, resolve, reject };
    if (waiting !== undefined) waiting.push(next);
    else void this.#drain(merchantId, [next]);
    return promise;
  }

  async #drain(merchantId: number, waiting: WaitingCall<Call>[]): Promise<void> {
    this.#waiting.set(merchantId, waiting);
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_GROUP_SIZE);
      const done = await this.#settle(merchantId, group);
      waiting.unshift(...group.slice(done));
    }
    this.#waiting.delete(merchantId);
  }

  /** Resolves to the number of calls that have a result. */
  async #settle(merchantId: number, group: readonly WaitingCall<Call>[]): Promise<number> {
    try {
      const results = await this.#write(
        merchantId,
        group.map(({ call }) => call),
      );
      for (const [index, result] of results.entries()) {
        if ('json' in result) group[index]?.resolve(result.json);
        else group[index]?.reject(decodeError(result.error));
      }
      return results.length;
    } catch (error) {
      if (error instanceof DomainError && group.length > 1) {
        // A response could not be stored, so the transaction was undone. Each call runs alone.
        for (const call of group) await this.#settle(merchantId, [call]);
      } else {
        for (const { reject } of group) reject(error);
      }
      return group.length;
    }
  }
}
