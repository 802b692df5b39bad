import type { Connection, Dialect, Reader } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { listKeyIds, type WebhookName, type WebhookRow } from './queries.ts';

/** The database has secrets only encrypted. */
export class WebhookSecrets {
  readonly #encryption: Encryption;
  readonly #dialect: Pick<Dialect, 'takeGlobalLock'>;

  constructor(encryption: Encryption, dialect: Pick<Dialect, 'takeGlobalLock'>) {
    this.#encryption = encryption;
    this.#dialect = dialect;
  }

  /**
   * Checks that the key file has every key that the database needs, and creates the file if it needs none
   * yet. To be called in the transaction that then stores what `encrypt` returns.
   * @throws {KeyFileUnusable}
   */
  async ensureKeys(connection: Connection): Promise<void> {
    // Without the lock, two nodes could each create a file.
    if (!(await this.#encryption.hasKeys())) await connection.all(this.#dialect.takeGlobalLock);
    await this.requireKeys(connection);
    if (!(await this.#encryption.hasKeys())) await this.#encryption.createKeys();
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
    const rows = await reader.all(listKeyIds);
    await this.#encryption.requireKeys(rows.map(({ id }) => id));
  }
}

function rowOf({ merchantId, id }: WebhookName): string {
  return `webhook ${id} of ${merchantId}`;
}
