import { Encryption } from '../encryption/encryption.ts';
import { MonthlyKeys } from '../encryption/monthly-keys.ts';
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { type EncryptedDatabase, findUsedKeys } from './used-keys.ts';

/**
 * Creates the keys that the file does not have yet, and that the first webhook or order would create, so that
 * the file can be copied to every node before.
 * @throws {KeyFileUnusable} also if another node has keys that the database uses
 */
export async function createKeys({ database, file }: EncryptedDatabase, now: number): Promise<void> {
  const keyFile = { file, onCreated: () => {} };
  const { dialect } = database;
  await database.transaction(async (connection) => {
    await new WebhookSecrets(new Encryption(keyFile), dialect).ensureKeys(connection);
    await new MonthlyKeys(keyFile).encryptorAt(now, {
      lock: () => connection.all(dialect.takeGlobalLock),
      findUsed: async () => (await findUsedKeys(connection)).monthly,
    });
  });
}
