import { removeUnusedKeys } from '../encryption/rotate-keys.ts';
import { type EncryptedDatabase, requireUsedKeys } from './used-keys.ts';

/**
 * Removes the keys from the key file that encrypt no secret of the database any longer. If the newest key
 * encrypts no secret either, all keys stay. Resolves to the IDs of the removed keys.
 * @throws {KeyFileUnusable}
 */
export async function removeUnused({ database, file }: EncryptedDatabase): Promise<string[]> {
  const { secrets } = await requireUsedKeys(database, file);
  return await removeUnusedKeys(file, secrets);
}
