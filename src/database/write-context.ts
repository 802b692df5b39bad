import type { Connection, Database, TransactionOptions } from './database.ts';

/** What a verb that writes gets beside its input. The verb runs in a transaction. */
export interface WriteContext {
  connection: Connection;
  /** The merchant whose rows the verb writes, or the merchant's test side. */
  merchantId: number;
  /** As in the audit log: a user, `key ID`, or `OPERATOR`. */
  who: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Input and result are plain data, which can be sent to another thread. */
export type Verb<Input = never, Result = unknown> = (context: WriteContext, input: Input) => Promise<Result>;

/** A verb that runs in another thread, in a transaction of its own. */
export type ThreadVerb<Input, Result> = (
  context: Omit<WriteContext, 'connection'>,
  input: Input,
  options?: Pick<TransactionOptions, 'locksMerchant'>,
) => Promise<Result>;

/** Runs a verb in a transaction of its own, and returns what it returns. @throws what the verb throws */
export async function runVerb<Input, Result>(
  { database, now }: { database: Database; now: () => number },
  { merchantId, who }: Pick<WriteContext, 'merchantId' | 'who'>,
  verb: Verb<Input, Result>,
  input: NoInfer<Input>,
  options?: Pick<TransactionOptions, 'locksMerchant'>,
): Promise<Result> {
  const inThread = database.threadVerb(verb);
  if (inThread !== undefined) return await inThread({ merchantId, who, now: now() }, input, options);
  return await database.transaction(
    (connection) => verb({ connection, merchantId, who, now: now() }, input),
    {
      merchantId,
      ...options,
    },
  );
}
