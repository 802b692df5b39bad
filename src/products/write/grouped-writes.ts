import type { Database } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import type { WriteSettings } from './change-product.ts';
import { type CallResult, prepareCalls, type RecordCall, writeRecords } from './write-records.ts';

interface WaitingCall {
  call: RecordCall;
  resolve(json: string): void;
  reject(error: unknown): void;
}

const MAX_GROUP_SIZE = 50;

/**
 * Runs calls that change products. Waiting calls of one merchant share one transaction, which reads and
 * writes their products together. A call that comes alone waits for nothing.
 */
export class GroupedWrites {
  readonly #database: Database;
  readonly #settings: WriteSettings;
  readonly #now: () => number;
  /** The waiting calls by merchant. A merchant whose calls are running has a list. */
  readonly #waiting = new Map<number, WaitingCall[]>();

  /** `now` returns milliseconds since 1970. */
  constructor(database: Database, settings: WriteSettings, now: () => number) {
    this.#database = database;
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * Runs a call after the merchant's earlier calls. Resolves after the commit, to the response as JSON text.
   * @throws {DomainError} if the call failed and changed nothing
   */
  run(merchantId: number, call: RecordCall): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const waiting = this.#waiting.get(merchantId);
    if (waiting !== undefined) waiting.push({ call, resolve, reject });
    else void this.#drain(merchantId, [{ call, resolve, reject }]);
    return promise;
  }

  async #drain(merchantId: number, waiting: WaitingCall[]): Promise<void> {
    this.#waiting.set(merchantId, waiting);
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_GROUP_SIZE);
      try {
        const results = await this.#write(merchantId, group);
        waiting.unshift(...group.splice(results.length));
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index];
          if (result !== undefined && 'json' in result) resolve(result.json);
          else reject(result?.error);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#waiting.delete(merchantId);
  }

  #write(merchantId: number, group: readonly WaitingCall[]): Promise<CallResult[]> {
    return this.#database.transaction(
      async (connection) => {
        const calls = group.map(({ call }) => call);
        // Not awaited one by one, so that a database server gets them in one round trip.
        const [, changes] = await Promise.all([
          connection.run(lockMerchant, { merchantId }),
          prepareCalls({ connection, merchantId }, calls),
        ]);
        // After the lock, so that times follow the order of writes.
        const context = { ...this.#settings, connection, merchantId, now: this.#now() };
        return await writeRecords(context, calls, changes);
      },
      { merchantId, locksMerchant: true },
    );
  }
}
