import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DerivedKeys, type MonthKey } from './derived-keys.ts';
import { destroyMonths } from './destroy-months.ts';
import { decrypt, encrypt } from './encrypt.ts';
import type { EncryptionOptions } from './encryption.ts';
import { ensureKeys, type KeyUse } from './ensure-keys.ts';
import { hashWord } from './hash-word.ts';
import { changeKeyFile, KeyFileUnusable, readKeyFile } from './key-file.ts';
import { type KeyFile, newMonthlySecret } from './key-lines.ts';
import { formatKeyName, parseKeyName } from './key-name.ts';
import { describeCreation, missingKey, otherKey, undecryptable } from './messages.ts';
import { type Month, monthAt } from './month.ts';

/** Encrypts with the key of one month. To be used at once, and not kept. */
export interface MonthlyEncryptor {
  /** To be stored with each value: the month and the ID of its secret, such as `2026-11:1a2b3c4d`. */
  keyName: string;
  /** `row` names a row of the database. No other row decrypts the value. */
  encrypt(text: string, row: string): Buffer;
  hashWord: WordHasher;
}

/**
 * Hashes a word, so that equal words can be found, but only with the key. `owner` names whose word it is:
 * equal words of others have other hashes.
 */
export type WordHasher = (word: string, owner: string) => string;

/**
 * Returns undefined if the key was destroyed. To be used at once, and not kept.
 * @throws {KeyFileUnusable} if the file does not have the key
 * @throws {UndecryptableValue} if the value or the key was changed, or the value belongs to another row
 */
export type MonthlyDecryptor = (
  value: { keyName: string; bytes: Uint8Array },
  row: string,
) => string | undefined;

/** Names of keys in the database. */
export interface MonthlyKeyUse {
  /** Of the keys that encrypt values. */
  used: readonly string[];
  /** Of keys whose values were erased. One is enough. */
  former: readonly string[];
}

interface Snapshot {
  keys: DerivedKeys;
  stats: Stats | undefined;
  checkedAt: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const POLL_MS = 2_000;

interface MonthlyOptions extends EncryptionOptions {
  /** How late a change of the file is noticed. */
  pollMs?: number | undefined;
}

/**
 * Encrypts customers' data with a key for each month, and destroys the keys of months that the database no
 * longer uses: then nothing decrypts the values of these months, not in a backup of the database either. The
 * keys follow from secrets in the key file (`ratchet.ts`).
 *
 * Other processes of the machine can use the keys of a destroyed month for two more seconds, until they look
 * at the file again. While the file is missing or unusable, a process uses what it has read before. If it was
 * replaced by one that lacks a key of the database, nothing is encrypted: the right file would lack its keys.
 */
export class MonthlyKeys {
  readonly #file: string;
  readonly #onCreated: (line: string) => void;
  readonly #pollMs: number;
  #snapshot: Snapshot | undefined;
  /** The last content of the file that had every key of the database. */
  #checked: DerivedKeys | undefined;

  constructor({ file, onCreated, pollMs = POLL_MS }: MonthlyOptions) {
    this.#file = file;
    this.#onCreated = onCreated;
    this.#pollMs = pollMs;
  }

  /**
   * Returns the encryptor of a time, in milliseconds since 1970. If the key of its month was destroyed, it is
   * the encryptor of the oldest month that has a key. Without `use`, the file must have a secret, and lack no
   * key of the database, as after `isReadyAt`. With it, creates a secret if neither the file nor the database
   * has one; to be called in a transaction.
   * @throws {KeyFileUnusable}
   * @throws {Error} if the time is more than 200 years away
   */
  async encryptorAt(now: number, use?: KeyUse): Promise<MonthlyEncryptor> {
    const month = monthAt(now);
    const { keys } = await this.#look();
    if (use === undefined) this.#requireNothingLost(keys);
    const found = keys.forMonth(month) ?? (await this.#createKeys(month, use));
    return {
      keyName: formatKeyName(found),
      encrypt: (text, row) => encrypt(text, found.key, row),
      hashWord: wordHasher(found),
    };
  }

  /**
   * Returns the hashers of the encryptors of all months until a time whose keys were not destroyed, newest
   * first. Each is to be used at once, and not kept.
   * @throws {KeyFileUnusable}
   */
  async wordHashersUntil(now: number): Promise<WordHasher[]> {
    return (await this.#look()).keys.until(monthAt(now)).map(wordHasher);
  }

  /**
   * Whether the file has a secret from which the key of a time follows, and, as far as is known, every key of
   * the database: `requireKeys` has succeeded, and what replaced the file since lacks no secret.
   * @throws {KeyFileUnusable}
   */
  async isReadyAt(now: number): Promise<boolean> {
    const { keys } = await this.#look();
    return keys.forMonth(monthAt(now)) !== undefined && this.#isChecked(keys);
  }

  /** For values of the keys with these names. @throws {KeyFileUnusable} */
  async decryptorOf(keyNames: readonly string[]): Promise<MonthlyDecryptor> {
    const keys = await this.#lookFor(keyNames);
    return ({ keyName, bytes }, row) => {
      const name = parseKeyName(keyName);
      if (name !== undefined && !keys.knows(name.id))
        throw missingKey(this.#file, `monthly key ${name.id}`, { isFile: true });
      try {
        if (name === undefined) throw new Error(`"${keyName}" is not the name of a key.`);
        const key = keys.find(name.id, name.month);
        return key && decrypt(bytes, key, row);
      } catch (cause) {
        throw undecryptable(this.#file, { name: `monthly key ${name?.id ?? 'without ID'}`, row, cause });
      }
    };
  }

  /**
   * Checks that the file has the keys with these names, or had them until they were destroyed. They must name
   * every secret of the database. The file may be missing if there are no names.
   * @throws {KeyFileUnusable} also if a secret is not the one that had its ID before
   */
  async requireKeys(keyNames: readonly string[]): Promise<void> {
    const keys = await this.#lookFor(keyNames);
    this.#requireSameSecrets(keys);
    this.#checked = keys;
  }

  /**
   * Destroys the keys of all months before the oldest month that the database uses. The keys of the present
   * month stay, and the keys of the month before stay for a day, because an open transaction may use them.
   * `now` is the database's time, in milliseconds since 1970. Does nothing if the database never had a value,
   * because the file could be another database's. Each machine must do this for its own file.
   * @throws {KeyFileUnusable} if the file lacks one of the keys, or cannot be changed
   */
  async destroyUnused({ used, former }: MonthlyKeyUse, now: number): Promise<void> {
    if (used.length + former.length === 0) return;
    const names = used.map(parseKeyName).filter((name) => name !== undefined);
    const change = (file: KeyFile): KeyFile => {
      const keys = new DerivedKeys(file);
      this.#require([...used, ...former], keys, { isFile: true });
      // Values whose keys were destroyed, as in a restored backup, keep no other key. If all are such values,
      // another process may just have destroyed the keys, and knows a later month that is used.
      const existing = names.filter((name) => keys.has(name));
      const needed = existing.length > 0 ? existing : names;
      const [oldest = ''] = [monthAt(now - DAY_MS), ...needed.map(({ month }) => month)].sort();
      return destroyMonths(file, { oldest, usedIds: new Set(needed.map(({ id }) => id)) });
    };
    const file = await readKeyFile(this.#file);
    if (change(file) === file) return;
    await changeKeyFile(this.#file, change);
    await this.#read();
  }

  async #createKeys(month: Month, use: KeyUse | undefined): Promise<MonthKey> {
    if (use === undefined) throw new KeyFileUnusable(`The key file ${this.#file} has no monthly key.`);
    const find = async (): Promise<MonthKey | undefined> => (await this.#read()).keys.forMonth(month);
    await ensureKeys(
      {
        hasKeys: async () => (await find()) !== undefined,
        requireKeys: (used) => this.requireKeys(used),
        createKeys: async () => {
          const { change } = await changeKeyFile(this.#file, (file) =>
            new DerivedKeys(file).forMonth(month) === undefined
              ? { ...file, monthly: [...file.monthly, newMonthlySecret(month)] }
              : file,
          );
          if (change !== 'nothing') this.#onCreated(describeCreation(this.#file, change));
        },
      },
      use,
    );
    const created = await find();
    if (created === undefined) throw new KeyFileUnusable(`The key file ${this.#file} does not exist.`);
    return created;
  }

  async #lookFor(keyNames: readonly string[]): Promise<DerivedKeys> {
    const { keys } = await this.#look();
    if (this.#missing(keyNames, keys) === undefined) return keys;
    // Another node may have added a secret to the file.
    const read = await this.#read();
    this.#require(keyNames, read.keys, { isFile: read.stats !== undefined });
    return read.keys;
  }

  /** What follows on a content that was checked needs no check if it knows all its secrets. */
  #isChecked(keys: DerivedKeys): boolean {
    const checked = this.#checked;
    if (checked === undefined || checked.isEmpty) return false;
    if (keys === checked) return true;
    if ((keys.missingOf(checked) ?? keys.changedFrom(checked)) !== undefined) return false;
    this.#checked = keys;
    return true;
  }

  /** @throws {KeyFileUnusable} */
  #requireNothingLost(keys: DerivedKeys): void {
    if (this.#checked === undefined || this.#isChecked(keys)) return;
    const missing = keys.missingOf(this.#checked);
    if (missing !== undefined) throw missingKey(this.#file, `monthly key ${missing}`, { isFile: true });
    this.#requireSameSecrets(keys);
  }

  /** @throws {KeyFileUnusable} */
  #requireSameSecrets(keys: DerivedKeys): void {
    const changed = this.#checked && keys.changedFrom(this.#checked);
    if (changed !== undefined) throw otherKey(this.#file, `monthly key ${changed}`);
  }

  #require(keyNames: readonly string[], keys: DerivedKeys, { isFile }: { isFile: boolean }): void {
    const missing = this.#missing(keyNames, keys);
    if (missing !== undefined) throw missingKey(this.#file, `monthly key ${missing}`, { isFile });
  }

  #missing(keyNames: readonly string[], keys: DerivedKeys): string | undefined {
    const ids = keyNames.map((text) => parseKeyName(text)?.id);
    return ids.find((id) => id !== undefined && !keys.knows(id));
  }

  async #look(): Promise<Snapshot> {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return await this.#read();
    if (performance.now() - snapshot.checkedAt < this.#pollMs) return snapshot;
    snapshot.checkedAt = performance.now();
    const stats = await stat(this.#file).catch(() => undefined);
    if (stats === undefined || isSame(stats, snapshot.stats)) return snapshot;
    return await this.#read().catch((error) => {
      if (error instanceof KeyFileUnusable) return snapshot;
      throw error;
    });
  }

  async #read(): Promise<Snapshot> {
    const { stats, ...file } = await readKeyFile(this.#file);
    this.#snapshot = { keys: new DerivedKeys(file), stats, checkedAt: performance.now() };
    return this.#snapshot;
  }
}

function wordHasher({ wordKey }: MonthKey): WordHasher {
  return (word, owner) => hashWord(word, owner, wordKey);
}

function isSame(stats: Stats, other: Stats | undefined): boolean {
  return (
    stats.ino === other?.ino &&
    stats.mtimeMs === other.mtimeMs &&
    stats.ctimeMs === other.ctimeMs &&
    stats.size === other.size
  );
}
