import type { Connection, Database } from '../database/database.ts';
import { isEncrypted } from '../encryption/encryption.ts';
import { listPlainSecrets, replaceSecrets } from './queries.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const WEBHOOKS_PER_TRANSACTION = 200;

/**
 * Checks that the key file has the keys of all secrets, and encrypts the secrets that an earlier version
 * stored as plain text. Call it before the service starts.
 * @throws {KeyFileUnusable}
 */
export async function encryptStoredSecrets(database: Database, secrets: WebhookSecrets): Promise<void> {
  await secrets.requireKeys(database);
  const isPlain = async (): Promise<boolean> =>
    (await database.first(listPlainSecrets, { limit: 1 })) !== undefined;
  while (await isPlain()) await database.transaction((connection) => encryptSome(connection, secrets));
  // Another node may have encrypted them meanwhile.
  await secrets.requireKeys(database);
}

async function encryptSome(connection: Connection, secrets: WebhookSecrets): Promise<void> {
  const rows = await connection.all(listPlainSecrets, { limit: WEBHOOKS_PER_TRANSACTION });
  await secrets.ensureKeys(connection);
  for (const { id, merchant_id: merchantId, secret: before, former_secret: former } of rows) {
    // If a command has rotated the secret, only the former one is plain text.
    const encrypt = async (secret: string): Promise<string> =>
      isEncrypted(secret) ? secret : await secrets.encrypt({ merchantId, id }, secret);
    await connection.run(replaceSecrets, {
      merchantId,
      id,
      before,
      secret: await encrypt(before),
      formerSecret: former === null ? null : await encrypt(former),
    });
  }
}
