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

/** `Needs` is what else the verb gets from its context, such as settings. */
export type Verb<Input, Result, Needs = unknown> = (
  context: WriteContext & Needs,
  input: Input,
) => Promise<Result>;

/** Runs a verb in a transaction of its own, and returns what it returns. @throws what the verb throws */
export async function runVerb<Input, Result, Needs>(
  { database, now }: { database: Database; now: () => number },
  caller: Pick<WriteContext, 'merchantId' | 'who'> & NoInfer<Needs>,
  verb: Verb<Input, Result, Needs>,
  input: NoInfer<Input>,
  options: Pick<TransactionOptions, 'locksMerchant' | 'everyNode'> = {},
): Promise<Result> {
  const { merchantId } = caller;
  return await database.transaction((connection) => verb({ ...caller, connection, now: now() }, input), {
    merchantId,
    ...options,
  });
}
