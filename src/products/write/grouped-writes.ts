import type { Database } from '../../database/database.ts';
import { lockMerchant, missingMerchant } from '../../database/merchant-queries.ts';
import { type CallResult, GroupedCalls } from '../../requests/grouped-calls.ts';
import {
  type GroupSettings,
  type PrepareChange,
  prepareCalls,
  type RecordCall,
  type RecordChanges,
  writeRecords,
} from './write-records.ts';

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

/** Runs calls that change products: see `GroupedCalls`. */
export class GroupedWrites {
  readonly #database: Database;
  readonly #verb: RecordVerb;
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #settings: GroupSettings;
  readonly #now: () => number;
  readonly #calls: GroupedCalls<RecordCall>;

  /** `now` returns milliseconds since 1970. */
  constructor(database: Database, verb: RecordVerb, settings: GroupSettings, now: () => number) {
    this.#database = database;
    this.#verb = verb;
    this.#names = new Map(Object.entries(verb.changes).map(([name, change]) => [change, name]));
    this.#settings = settings;
    this.#now = now;
    this.#calls = new GroupedCalls((merchantId, calls) => this.#write(merchantId, calls));
  }

  /** As `GroupedCalls.run`. @throws {DomainError} if the call failed and changed nothing */
  run<Input>(merchantId: number, { change, ...call }: NewCall<Input>): Promise<string> {
    const name = this.#names.get(change);
    if (name === undefined) throw new Error('the call is not in the table of calls that change records');
    return this.#calls.run(merchantId, { ...call, change: name });
  }

  async #write(merchantId: number, calls: readonly RecordCall[]): Promise<CallResult[]> {
    const { verb, changes } = this.#verb;
    const context = { ...this.#settings, merchantId, now: this.#now() };
    const inThread = this.#database.inWriterThread(verb);
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
