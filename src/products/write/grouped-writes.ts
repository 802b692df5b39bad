import type { Database } from '../../database/database.ts';
import { decodeError } from '../../database/encode-error.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  type CallResult,
  type GroupSettings,
  prepareCalls,
  type ReadCall,
  type RecordCall,
  type RecordReads,
  writeRecords,
} from './write-records.ts';

interface WaitingCall {
  call: RecordCall;
  resolve(json: string): void;
  reject(error: unknown): void;
}

/** A call, with a function of the table in place of its name. */
export interface NewCall<Input = never> extends Omit<RecordCall, 'read' | 'input'> {
  read: ReadCall<Input>;
  input: Input;
}

/** What calls can do, and the verb `changeRecords` of it. */
export interface RecordVerb {
  reads: RecordReads;
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
    this.#names = new Map(Object.entries(verb.reads).map(([name, read]) => [read, name]));
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * Runs a call after the merchant's earlier calls. Resolves after the commit, to the response as JSON text.
   * @throws {DomainError} if the call failed and changed nothing
   */
  run<Input>(merchantId: number, { read, ...call }: NewCall<Input>): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const waiting = this.#waiting.get(merchantId);
    const name = this.#names.get(read);
    if (name === undefined) throw new Error('the call is not in the table of calls that change records');
    const next = { call: { ...call, read: name }, resolve, reject };
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
        // One of them could not be stored, and nothing has been written.
        for (const call of group) await this.#settle(merchantId, [call]);
      } else {
        for (const { reject } of group) reject(error);
      }
      return group.length;
    }
  }

  async #write(merchantId: number, calls: readonly RecordCall[]): Promise<CallResult[]> {
    const { verb, reads } = this.#verb;
    const inThread = this.#database.threadVerb(verb);
    const before = { ...this.#settings, merchantId, now: this.#now() };
    if (inThread !== undefined)
      return (await inThread(before, calls, { locksMerchant: true })) as CallResult[];
    return await this.#database.transaction(
      async (connection) => {
        // Not awaited one by one, so that a database server gets them in one round trip.
        const [, changes] = await Promise.all([
          connection.run(lockMerchant, { merchantId }),
          prepareCalls({ ...before, connection }, reads, calls),
        ]);
        // After the lock, so that times follow the order of writes.
        return await writeRecords({ ...before, connection, now: this.#now() }, calls, changes);
      },
      { merchantId, locksMerchant: true },
    );
  }
}
