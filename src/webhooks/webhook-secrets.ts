import type { Connection, Dialect, Reader } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { ensureKeys } from '../encryption/ensure-keys.ts';
import { listKeyIds, type WebhookName, type WebhookRow } from './queries.ts';
import { nameOf } from './webhook.ts';

/** The database has secrets only encrypted. */
export class WebhookSecrets {
  readonly #encryption: Encryption;
  readonly #dialect: Pick<Dialect, 'takeGlobalLock'>;

  constructor(encryption: Encryption, dialect: Pick<Dialect, 'takeGlobalLock'>) {
    this.#encryption = encryption;
    this.#dialect = dialect;
  }

  /**
   * Checks that the key file has every key that the database needs, and creates one if it needs none yet. To
   * be called in the transaction that then stores what `encrypt` returns.
   * @throws {KeyFileUnusable}
   */
  async ensureKeys(connection: Connection): Promise<void> {
    await ensureKeys(this.#encryption, {
      lock: () => connection.all(this.#dialect.takeGlobalLock),
      findUsed: () => findKeyIds(connection),
    });
  }

  /** After `ensureKeys`. */
  async encrypt(webhook: WebhookName, secret: string): Promise<string> {
    return await this.#encryption.encrypt(secret, rowOf(webhook));
  }

  /**
   * Returns the secrets that sign at a time, in milliseconds since 1970: the former one too, for 24 hours.
   * @throws {KeyFileUnusable} if the file lacks their key
   * @throws {Error} if they were changed, or are of another webhook
   */
  async decrypt(webhook: WebhookRow, now: number): Promise<string[]> {
    const {
      merchant_id: merchantId,
      id,
      secret,
      former_secret: former,
      former_secret_until: until,
    } = webhook;
    const hasFormer = former !== null && until !== null && until > now;
    const row = rowOf({ merchantId, id });
    return await Promise.all(
      (hasFormer ? [secret, former] : [secret]).map((value) => this.#encryption.decrypt(value, row)),
    );
  }

  /** Checks that the key file has every key that the database needs. @throws {KeyFileUnusable} */
  async requireKeys(reader: Pick<Reader, 'all'>): Promise<void> {
    await this.#encryption.requireKeys(await findKeyIds(reader));
  }

  /** The ID of the key that encrypts. @throws {KeyFileUnusable} if there is no key */
  newestKeyId(): Promise<string> {
    return this.#encryption.newestId();
  }

  /**
   * Returns the secrets of a webhook as the newest key encrypts them.
   * @throws {Error} as `decrypt`
   */
  async reencrypt(webhook: WebhookRow): Promise<{ secret: string; formerSecret: string | null }> {
    const row = rowOf(nameOf(webhook));
    const again = async (value: string): Promise<string> =>
      await this.#encryption.encrypt(await this.#encryption.decrypt(value, row), row);
    const { secret, former_secret: former } = webhook;
    return { secret: await again(secret), formerSecret: former === null ? null : await again(former) };
  }
}

async function findKeyIds(reader: Pick<Reader, 'all'>): Promise<string[]> {
  return (await reader.all(listKeyIds)).map(({ id }) => id);
}

function rowOf({ merchantId, id }: WebhookName): string {
  return `webhook ${id} of ${merchantId}`;
}
