import type { Connection, Database, Reader } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { ensureKeys } from '../encryption/ensure-keys.ts';
import { AccountKey, newPrivateKey, toPem } from './account-key.ts';
import type { KeyAndCertificate } from './challenge-certificate.ts';
import {
  type AcmeCertificateRow,
  type AcmeChallengeRow,
  type AcmeFailureRow,
  deleteChallenge,
  deleteFailure,
  findAccount,
  findCertificate,
  findFailure,
  insertAccount,
  listAcmeKeyIds,
  listChallenges,
  ONLY,
  upsertCertificate,
  upsertChallenge,
  upsertFailure,
} from './queries.ts';

interface Parts {
  database: Database;
  encryption: Encryption;
}

/** What is known about the certificate, without its key. Times are milliseconds since 1970. */
export interface AcmeState {
  certificate: Omit<AcmeCertificateRow, 'private_key'> | null;
  /** The last failure, if there was no success since. */
  failure: AcmeFailureRow | null;
}

/** What all processes share: the account, the certificate, failures and challenges. Keys are encrypted. */
export class AcmeStore {
  readonly #database: Database;
  readonly #encryption: Encryption;
  #pair: { encrypted: string; pair: KeyAndCertificate } | undefined;
  #state: AcmeState = { certificate: null, failure: null };

  constructor({ database, encryption }: Parts) {
    this.#database = database;
    this.#encryption = encryption;
  }

  /** The state when `readPair` was last called. */
  get lastState(): AcmeState {
    return this.#state;
  }

  /**
   * Resolves to the certificate and its key; null before the first one.
   * @throws {KeyFileUnusable} if the key file lacks the key that encrypts the certificate's key
   */
  async readPair(): Promise<KeyAndCertificate | null> {
    const row = await this.#database.first(findCertificate);
    const failure = await this.#database.first(findFailure);
    this.#state = stateOf(row, failure);
    if (row === undefined) return null;
    const { certificate: cert, private_key: encrypted } = row;
    if (this.#pair?.encrypted !== encrypted) {
      const key = await this.#encryption.decrypt(encrypted, certificateName);
      this.#pair = { encrypted, pair: { cert, key } };
    }
    return this.#pair.pair;
  }

  async readState(): Promise<AcmeState> {
    return await readAcmeState(this.#database);
  }

  /** Resolves to the key of the account with an authority, which the first call creates. */
  async accountKey(directory: string, now: number): Promise<AccountKey> {
    return await this.#database.transaction(async (connection) => {
      await connection.all(this.#database.dialect.takeGlobalLock);
      const row = await connection.first(findAccount, { directory });
      if (row !== undefined)
        return new AccountKey(await this.#encryption.decrypt(row.private_key, accountName(directory)));
      const pem = toPem(newPrivateKey());
      await this.#ensureKeys(connection);
      const encrypted = await this.#encryption.encrypt(pem, accountName(directory));
      await connection.run(insertAccount, { directory, private_key: encrypted, created_at: now });
      return new AccountKey(pem);
    });
  }

  /** Replaces the certificate, and forgets the last failure. `private_key` is in PEM. */
  async storeCertificate(row: AcmeCertificateRow): Promise<void> {
    await this.#database.transaction(async (connection) => {
      await this.#ensureKeys(connection);
      const encrypted = await this.#encryption.encrypt(row.private_key, certificateName);
      await connection.run(upsertCertificate, { ...row, id: ONLY, private_key: encrypted });
      await connection.run(deleteFailure);
    });
  }

  async storeFailure(row: AcmeFailureRow): Promise<void> {
    await this.#database.transaction((connection) => connection.run(upsertFailure, { ...row, id: ONLY }));
  }

  /** The next try is made at once. */
  async forgetFailure(): Promise<void> {
    if ((await this.#database.first(findFailure)) === undefined) return;
    await this.#database.transaction((connection) => connection.run(deleteFailure));
  }

  async readChallenges(): Promise<AcmeChallengeRow[]> {
    return await this.#database.all(listChallenges);
  }

  async storeChallenges(challenges: readonly AcmeChallengeRow[]): Promise<void> {
    await this.#database.transaction((connection) => connection.runEach(upsertChallenge, challenges));
  }

  async deleteChallenges(challenges: readonly AcmeChallengeRow[]): Promise<void> {
    await this.#database.transaction((connection) => connection.runEach(deleteChallenge, challenges));
  }

  async #ensureKeys(connection: Connection): Promise<void> {
    await ensureKeys(this.#encryption, {
      lock: () => connection.all(this.#database.dialect.takeGlobalLock),
      findUsed: async () => (await connection.all(listAcmeKeyIds)).map(({ id }) => id),
    });
  }
}

/** Reads from the database what `AcmeStore` knows. */
export async function readAcmeState(reader: Pick<Reader, 'first'>): Promise<AcmeState> {
  return stateOf(await reader.first(findCertificate), await reader.first(findFailure));
}

function stateOf(row: AcmeCertificateRow | undefined, failure: AcmeFailureRow | undefined): AcmeState {
  if (row === undefined) return { certificate: null, failure: failure ?? null };
  const { private_key: _, ...certificate } = row;
  return { certificate, failure: failure ?? null };
}

/** The names of rows for the encryption. */
export const certificateName = 'ACME certificate';

export function accountName(directory: string): string {
  return `ACME account at ${directory}`;
}
