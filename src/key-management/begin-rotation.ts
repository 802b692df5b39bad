import { monthAt } from '../encryption/month.ts';
import { addNextKeys } from '../encryption/rotate-keys.ts';
import { type EncryptedDatabase, requireUsedKeys } from './used-keys.ts';

/**
 * Adds next keys to the key file. They decrypt, but encrypt nothing until `finishRotation`, so that the file
 * can be copied to every node before. Adds nothing if the file has next keys already, or no key at all.
 * Resolves to the IDs of the next keys.
 * @throws {KeyFileUnusable}
 */
export async function beginRotation({ database, file }: EncryptedDatabase, now: number): Promise<string[]> {
  await requireUsedKeys(database, file);
  return await addNextKeys(file, monthAt(now));
}
