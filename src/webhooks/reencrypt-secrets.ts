import type { Connection, Database } from '../database/database.ts';
import { KeyFileUnusable } from '../encryption/key-file.ts';
import { listSecretsOfOtherKeys, lockWebhook, storeSecrets, type WebhookName } from './queries.ts';
import { nameOf } from './webhook.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const WEBHOOKS_PER_TRANSACTION = 100;

export interface Reencrypted {
  /** How many webhooks now have secrets of the newest key. */
  done: number;
  /** IDs of webhooks whose secrets were changed in the database, so that nothing decrypts them. */
  failed: string[];
}

/**
 * Encrypts the secrets of all webhooks with the newest key, where another key encrypts them. The secrets stay
 * the same. Services can run meanwhile, and a call continues what an earlier one did not finish.
 * @throws {KeyFileUnusable}
 */
export async function reencryptSecrets(database: Database, secrets: WebhookSecrets): Promise<Reencrypted> {
  const result: Reencrypted = { done: 0, failed: [] };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const start: string = after;
    const page = await database.transaction((connection) => reencryptPage(connection, secrets, start));
    result.done += page.done;
    result.failed.push(...page.failed);
    after = page.last;
  }
  return result;
}

async function reencryptPage(
  connection: Connection,
  secrets: WebhookSecrets,
  after: string,
): Promise<Reencrypted & { last: string | undefined }> {
  await secrets.requireKeys(connection);
  const keyId = await secrets.newestKeyId();
  const limit = WEBHOOKS_PER_TRANSACTION;
  const rows = await connection.all(listSecretsOfOtherKeys, { keyId, after, limit });
  const page: Reencrypted = { done: 0, failed: [] };
  for (const row of rows) {
    const isDone = await reencrypt(connection, secrets, nameOf(row));
    if (isDone) page.done += 1;
    else page.failed.push(row.id);
  }
  return { ...page, last: rows.at(-1)?.id };
}

/** Resolves to false if the secrets were changed. */
async function reencrypt(
  connection: Connection,
  secrets: WebhookSecrets,
  name: WebhookName,
): Promise<boolean> {
  const row = await connection.first(lockWebhook, name);
  if (row === undefined) return true;
  const again = await secrets.reencrypt(row).catch((error) => {
    if (error instanceof KeyFileUnusable) throw error;
  });
  if (again === undefined) return false;
  await connection.run(storeSecrets, { ...name, ...again });
  return true;
}
