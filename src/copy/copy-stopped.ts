import { DatabaseUnavailable, DatabaseUnusable } from '../database/database.ts';
import { AddressError } from '../database/postgres/address.ts';

/** Which database of a copy: by the option that names it. */
export type Side = '--from' | '--to';

/** A copy cannot begin or go on; the message is for the operator. */
export class CopyStopped extends Error {
  override name = 'CopyStopped';
}

/**
 * Runs work on one side's database.
 * @throws {CopyStopped} that names the side, for whatever that database or its engine refuses
 */
export async function naming<T>(side: Side, work: () => T | Promise<T>): Promise<T> {
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
  if (error instanceof AddressError) return `The address cannot be used: ${message}`;
  if (error instanceof DatabaseUnavailable)
    return `${message} Run the same command again: it goes on from here.`;
  return isOfEngine(error) ? message : undefined;
}

/** An engine's own refusal of a statement, a file or a value. Node's errors are faults of this program. */
function isOfEngine(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return error.code === 'ERR_SQLITE_ERROR' || !error.code.startsWith('ERR_');
}
