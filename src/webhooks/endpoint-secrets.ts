import type { Connection, Dialect, Reader } from '../database/database.ts';
import { type Encryption, isEncrypted } from '../encryption/encryption.ts';
import { type EndpointName, type EndpointRow, listKeyIds } from './queries.ts';

/** The secrets of endpoints, which the database has only encrypted. */
export class EndpointSecrets {
  readonly #encryption: Encryption;
  readonly #dialect: Pick<Dialect, 'takeGlobalLock'>;

  constructor(encryption: Encryption, dialect: Pick<Dialect, 'takeGlobalLock'>) {
    this.#encryption = encryption;
    this.#dialect = dialect;
  }

  /**
   * Encrypts a secret for an endpoint, inside the transaction that stores it. Creates the key file for the first secret of
   * the database.
   * @throws {KeyFileUnusable} if the file cannot be used or created, or if it is missing and the database has encrypted values
   */
  async encrypt(connection: Connection, endpoint: EndpointName, secret: string): Promise<string> {
    if (!(await this.#encryption.hasKeys())) await this.#createKeys(connection);
    return await this.#encryption.encrypt(secret, rowOf(endpoint));
  }

  /**
   * Decrypts the secrets that sign at a time, in milliseconds since 1970: the secret, and for 24 hours the former one.
   * @throws {KeyFileUnusable} if the file lacks their key
   * @throws {Error} if they were changed, or are of another endpoint
   */
  async decrypt(endpoint: EndpointRow, now: number): Promise<string[]> {
    const {
      merchant_id: merchantId,
      id,
      secret,
      former_secret: former,
      former_secret_until: until,
    } = endpoint;
    const hasFormer = former !== null && until !== null && until > now;
    const row = rowOf({ merchantId, id });
    return await Promise.all(
      (hasFormer ? [secret, former] : [secret]).map((value) =>
        // A start of the service encrypts the secrets of earlier versions, but commands can run before it.
        isEncrypted(value) ? this.#encryption.decrypt(value, row) : value,
      ),
    );
  }

  /** Checks that the key file has every key that the database needs. @throws {KeyFileUnusable} */
  async requireKeys(reader: Pick<Reader, 'all'>): Promise<void> {
    const rows = await reader.all(listKeyIds);
    await this.#encryption.requireKeys(rows.map(({ id }) => id));
  }

  async #createKeys(connection: Connection): Promise<void> {
    // Nodes with different files could otherwise each create one.
    await connection.all(this.#dialect.takeGlobalLock);
    if (await this.#encryption.hasKeys()) return;
    await this.requireKeys(connection);
    await this.#encryption.createKeys();
  }
}

function rowOf({ merchantId, id }: EndpointName): string {
  return `webhook ${id} of ${merchantId}`;
}
