import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { AddressError } from '../database/postgres/address.ts';

/** One of the two databases of a copy, as the option that names it. */
export type Side = '--from' | '--to';

/** A copy cannot start or finish. The message is for the operator. */
export class CopyStopped extends Error {
  override name = 'CopyStopped';
}

/**
 * Runs work on one side's database and names that side in its errors.
 * @throws {CopyStopped} for every error of that database or its engine
 */
export async function namingSide<T>(side: Side, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const line = describe(error);
    throw line === undefined ? error : new CopyStopped(`${side}: ${line}`, { cause: error });
  }
}

function describe(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const message = error.message.endsWith('.') ? error.message : `${error.message}.`;
  if (error instanceof DatabaseUnusable) return message;
  if (error instanceof AddressError) return `Invalid address: ${message}`;
  if (error instanceof DatabaseUnavailable) {
    return `${message} Empty the target database and run the same command again.`;
  }
  return isEngineError(error) ? message : undefined;
}

/** Whether an engine rejected a statement, a file or a value. Errors of Node itself are our bugs. */
function isEngineError(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return error.code === 'ERR_SQLITE_ERROR' || !error.code.startsWith('ERR_');
}
