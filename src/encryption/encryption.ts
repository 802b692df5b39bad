import { decrypt, encrypt } from './encrypt.ts';
import { createKeyFile, type EncryptionKey, KeyFileUnusable, readKeyFile } from './key-file.ts';

/** An encrypted value: the ID of the key, and the bytes in base64url. */
const VALUE = /^enc:([0-9a-f]{8}):([\w-]+)$/;

interface EncryptionOptions {
  file: string;
  /** Gets a line for the operator after the key file was created. */
  onCreated(line: string): void;
}

/** Encrypts with the newest key of a file outside the database. Every key of the file decrypts. */
export class Encryption {
  readonly #file: string;
  readonly #onCreated: (line: string) => void;
  #keys: readonly EncryptionKey[] = [];

  constructor({ file, onCreated }: EncryptionOptions) {
    this.#file = file;
    this.#onCreated = onCreated;
  }

  /** Whether there is a key file. @throws {KeyFileUnusable} */
  async hasKeys(): Promise<boolean> {
    if (this.#keys.length === 0) this.#keys = await readKeyFile(this.#file);
    return this.#keys.length > 0;
  }

  /** Does nothing if the file exists. @throws {KeyFileUnusable} */
  async createKeys(): Promise<void> {
    this.#keys = await createKeyFile(this.#file);
    this.#onCreated(
      `Created the key file ${this.#file}. Backups of the database do not contain it, so keep a copy of it elsewhere, and copy it to every node.`,
    );
  }

  /**
   * Checks that the file has the keys with these IDs. It may be missing if there are none.
   * @throws {KeyFileUnusable}
   */
  async requireKeys(ids: readonly string[]): Promise<void> {
    await this.hasKeys();
    for (const id of ids) await this.#find(id);
  }

  /**
   * `row` names a row of the database. No other row decrypts the value.
   * @throws {KeyFileUnusable} if there is no key file
   */
  async encrypt(text: string, row: string): Promise<string> {
    await this.hasKeys();
    const newest = this.#keys.at(-1);
    if (newest === undefined) throw new KeyFileUnusable(`The key file ${this.#file} does not exist.`);
    return `enc:${newest.id}:${encrypt(text, newest.key, row).toString('base64url')}`;
  }

  /**
   * Decrypts a value of `encrypt`.
   * @throws {KeyFileUnusable} if the file does not have the key
   * @throws {Error} if the value was changed, or belongs to another row
   */
  async decrypt(value: string, row: string): Promise<string> {
    const [, id, encoded] = VALUE.exec(value) ?? [];
    if (id === undefined || encoded === undefined)
      throw new Error(`The encrypted value of ${row} was changed.`);
    const { key } = await this.#find(id);
    try {
      return decrypt(Buffer.from(encoded, 'base64url'), key, row);
    } catch (error) {
      throw new Error(`The encrypted value of ${row} was changed, or belongs to another row.`, {
        cause: error,
      });
    }
  }

  async #find(id: string): Promise<EncryptionKey> {
    const known = this.#keys.find((key) => key.id === id);
    if (known !== undefined) return known;
    // Another node may have added a key to the file.
    const keys = await readKeyFile(this.#file);
    const found = keys.find((key) => key.id === id);
    if (found === undefined) {
      const problem =
        keys.length === 0
          ? `does not exist, but the key ${id} encrypts values of the database`
          : `does not have the key ${id}, which encrypts values of the database`;
      throw new KeyFileUnusable(
        `The key file ${this.#file} ${problem}. Copy the file from another node, or from where you keep a copy of it.`,
      );
    }
    this.#keys = keys;
    return found;
  }
}
