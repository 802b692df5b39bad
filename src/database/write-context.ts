import type { Actor } from './actor.ts';
import type { Connection, Database, TransactionOptions } from './database.ts';
import { lockMerchant } from './merchant-queries.ts';
import { liveSideOf, modeOf } from './sides.ts';

/** The context of a step in a transaction that writes one merchant's rows. */
export interface TransactionContext {
  connection: Connection;
  /** The merchant whose rows are written, or the merchant's test side. */
  merchantId: number;
  /** Milliseconds since 1970. */
  now: number;
}

/** The context of a verb that writes, which runs in a transaction. */
export interface WriteContext extends TransactionContext {
  who: Actor;
}

/**
 * Input and result are plain data, which can be sent to another thread. `Needs` is what else the verb gets
 * from its context, such as settings.
 */
export type Verb<Input, Result, Needs = unknown> = (
  context: WriteContext & Needs,
  input: Input,
) => Promise<Result>;

export interface VerbOptions extends Pick<TransactionOptions, 'locksMerchant' | 'everyNode'> {
  /** Set if the verb also uses rows of the live side when it runs for a test side. */
  usesLiveSide?: boolean;
}

export interface VerbServices {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Whose rows a verb writes, and on whose behalf. */
export type VerbCaller = Pick<WriteContext, 'merchantId' | 'who'>;

/**
 * Runs a verb in a transaction of its own, and returns what it returns. With `locksMerchant`, the transaction
 * locks the merchant first, and its time is not before the merchant's last write.
 * @throws what the verb throws
 */
export async function runVerb<Input, Result, Needs>(
  { database, now }: VerbServices,
  caller: VerbCaller & NoInfer<Needs>,
  verb: Verb<Input, Result, Needs>,
  input: NoInfer<Input>,
  { locksMerchant = false, everyNode = false, usesLiveSide = false }: VerbOptions = {},
): Promise<Result> {
  const { merchantId } = caller;
  const inThread = database.inWriterThread(verb);
  if (inThread !== undefined)
    return (await inThread({ ...caller, now: now() }, input, { locksMerchant })) as Result;
  return await database.transaction(
    async (connection) => {
      if (locksMerchant) await connection.run(lockMerchant, { merchantId });
      return await verb({ ...caller, connection, now: now() }, input);
    },
    rowsOf(merchantId, { locksMerchant, everyNode, usesLiveSide }),
  );
}

/** Whose rows a verb uses. On plain PostgreSQL, both sides share the connections of the merchant. */
function rowsOf(
  merchantId: number,
  { locksMerchant = false, everyNode = false, usesLiveSide = false }: VerbOptions,
): TransactionOptions {
  if (everyNode) return { everyNode };
  if (usesLiveSide && modeOf(merchantId) === 'test')
    return { everyNode: true, merchantId: liveSideOf(merchantId) };
  return { merchantId, locksMerchant };
}
