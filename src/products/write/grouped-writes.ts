import type { Database } from '../../database/database.ts';
import { decodeError } from '../../database/encode-error.ts';
import { lockMerchant, missingMerchant } from '../../database/merchant-queries.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  type CallResult,
  type GroupSettings,
  type PrepareChange,
  prepareCalls,
  type RecordCall,
  type RecordChanges,
  writeRecords,
} from './write-records.ts';

interface WaitingCall {
  call: RecordCall;
  resolve(json: string): void;
  reject(error: unknown): void;
}

/** A `RecordCall` with the function itself in place of its name. */
export interface NewCall<Input = never> extends Omit<RecordCall, 'change' | 'input'> {
  change: PrepareChange<Input>;
  input: Input;
}

/** The changes that calls can make, by name, and the verb that `changeRecords` returned for them. */
export interface RecordVerb {
  changes: RecordChanges;
  verb: unknown;
}

const MAX_GROUP_SIZE = 50;

/**
 * Runs calls that change products. Waiting calls of one merchant share one transaction, which reads and
 * writes their products together. A call that comes alone waits for nothing.
 */
export class GroupedWrites {
  readonly #database: Database;
  readonly #verb: RecordVerb;
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #settings: GroupSettings;
  readonly #now: () => number;
  /** The waiting calls by merchant. A merchant whose calls are running has a list. */
  readonly #waiting = new Map<number, WaitingCall[]>();

  /** `now` returns milliseconds since 1970. */
  constructor(database: Database, verb: RecordVerb, settings: GroupSettings, now: () => number) {
    this.#database = database;
    this.#verb = verb;
    this.#names = new Map(Object.entries(verb.changes).map(([name, change]) => [change, name]));
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * Runs a call after the merchant's earlier calls. Resolves after the commit, to the response as JSON text.
   * @throws {DomainError} if the call failed and changed nothing
   */
  run<Input>(merchantId: number, { change, ...call }: NewCall<Input>): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const waiting = this.#waiting.get(merchantId);
    const name = this.#names.get(change);
    if (name === undefined) throw new Error('the call is not in the table of calls that change records');
    const next = { call: { ...call, change: name }, resolve, reject };
    if (waiting !== undefined) waiting.push(next);
    else void this.#drain(merchantId, [next]);
    return promise;
  }

  async #drain(merchantId: number, waiting: WaitingCall[]): Promise<void> {
    this.#waiting.set(merchantId, waiting);
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_GROUP_SIZE);
      const done = await this.#settle(merchantId, group);
      waiting.unshift(...group.slice(done));
    }
    this.#waiting.delete(merchantId);
  }

  /** Resolves to the number of calls that have a result. */
  async #settle(merchantId: number, group: readonly WaitingCall[]): Promise<number> {
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

  async #write(merchantId: number, calls: readonly RecordCall[]): Promise<CallResult[]> {
    const { verb, changes } = this.#verb;
    const context = { ...this.#settings, merchantId, now: this.#now() };
    const inThread = this.#database.threadVerb(verb);
    if (inThread !== undefined)
      return (await inThread(context, calls, { locksMerchant: true })) as CallResult[];
    return await this.#database.transaction(
      async (connection) => {
        // Not awaited one by one, so that a database server gets them in one round trip.
        const [locked, prepared] = await Promise.all([
          connection.first(lockMerchant, { merchantId }),
          prepareCalls({ ...context, connection }, changes, calls),
        ]);
        if (locked === undefined) throw missingMerchant(merchantId);
        // After the lock, so that times follow the order of writes.
        const writing = { ...context, connection, now: this.#now() };
        return await writeRecords(writing, calls, { ...prepared, ...locked });
      },
      { merchantId, locksMerchant: true },
    );
  }
}
