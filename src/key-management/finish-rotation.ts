import { reencryptAcmeKeys } from '../acme/reencrypt-keys.ts';
import { Encryption } from '../encryption/encryption.ts';
import { readKeyFile } from '../encryption/key-file.ts';
import { startNextKeys } from '../encryption/rotate-keys.ts';
import { type Reencrypted, reencryptSecrets } from '../webhooks/reencrypt-secrets.ts';
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { type EncryptedDatabase, requireUsedKeys } from './used-keys.ts';

/**
 * Makes the next keys encrypt, and encrypts the secrets of all webhooks and the keys of certificates again.
 * Customers' data keeps its keys until it is erased. Services can run meanwhile. If it is
 * interrupted, it can be called again. `used` are the IDs of the keys that were next.
 * @throws {KeyFileUnusable}
 */
export async function finishRotation({
  database,
  file,
}: EncryptedDatabase): Promise<Reencrypted & { used: string[] }> {
  await requireUsedKeys(database, file);
  const used = await startNextKeys(file);
  if ((await readKeyFile(file)).keys.length === 0) return { used, done: 0, failed: [] };
  const encryption = new Encryption({ file, onCreated: () => {} });
  const ofWebhooks = await reencryptSecrets(database, new WebhookSecrets(encryption, database.dialect));
  await reencryptAcmeKeys(database, encryption);
  return { used, ...ofWebhooks };
}
