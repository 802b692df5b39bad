import { decrypt, encrypt } from './encrypt.ts';
import { changeKeyFile, KeyFileUnusable, readKeyFile } from './key-file.ts';
import { type EncryptionKey, KEY_ID, newEncryptionKey } from './key-lines.ts';
import { describeCreation, missingKey } from './messages.ts';

/** An encrypted value: the ID of the key, and the bytes in base64url. */
const VALUE = new RegExp(`^enc:(${KEY_ID.source}):([\\w-]+)$`);

export interface EncryptionOptions {
  file: string;
  /** Gets a line for the operator after the key file, or a key in it, was created. */
  onCreated(line: string): void;
}

/** Encrypts with the newest key of a file outside the database. Every key of the file decrypts. */
export class Encryption {
  readonly #file: string;
  readonly #onCreated: (line: string) => void;
  #keys: readonly EncryptionKey[] = [];
  #used: readonly string[] = [];

  constructor({ file, onCreated }: EncryptionOptions) {
    this.#file = file;
    this.#onCreated = onCreated;
  }

  /** Whether the file has a key. @throws {KeyFileUnusable} */
  async hasKeys(): Promise<boolean> {
    if (this.#keys.length === 0) await this.#read();
    return this.#keys.length > 0;
  }

  /** Does nothing if the file has a key. @throws {KeyFileUnusable} */
  async createKeys(): Promise<void> {
    const { content, change } = await changeKeyFile(this.#file, (file) =>
      file.keys.length > 0 ? file : { ...file, keys: [newEncryptionKey()] },
    );
    this.#keys = content.keys;
    if (change !== 'nothing') this.#onCreated(describeCreation(this.#file, change));
  }

  /**
   * Checks that the file has the keys with these IDs. It may be missing without IDs. From now on, a key that
   * they name encrypts although it is marked as next in this node's file, because another node uses it.
   * @throws {KeyFileUnusable}
   */
  async requireKeys(ids: readonly string[]): Promise<void> {
    // Without values, nothing shows that another node changed the file.
    if (ids.length === 0) await this.#read();
    for (const id of ids) await this.#find(id);
    this.#used = ids;
  }

  /** The ID of the key that encrypts. @throws {KeyFileUnusable} if there is no key */
  async newestId(): Promise<string> {
    return (await this.#newest()).id;
  }

  /**
   * `row` names a row of the database. No other row decrypts the value.
   * @throws {KeyFileUnusable} if there is no key
   */
  async encrypt(text: string, row: string): Promise<string> {
    const { id, key } = await this.#newest();
    return `enc:${id}:${encrypt(text, key, row).toString('base64url')}`;
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

  async #newest(): Promise<EncryptionKey> {
    await this.hasKeys();
    const newest = this.#keys.findLast(({ id, isNext }) => !isNext || this.#used.includes(id));
    if (newest === undefined)
      throw new KeyFileUnusable(`The key file ${this.#file} does not exist, or has no key for secrets.`);
    return newest;
  }

  async #find(id: string): Promise<EncryptionKey> {
    const known = this.#keys.find((key) => key.id === id);
    if (known !== undefined) return known;
    // Another node may have added a key to the file.
    const { keys, stats } = await readKeyFile(this.#file);
    const found = keys.find((key) => key.id === id);
    if (found === undefined) throw missingKey(this.#file, `key ${id}`, { isFile: stats !== undefined });
    this.#keys = keys;
    return found;
  }

  async #read(): Promise<void> {
    this.#keys = (await readKeyFile(this.#file)).keys;
  }
}
