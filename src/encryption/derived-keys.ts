import type { KeyObject } from 'node:crypto';
import type { KeyFile, MonthlySecret } from './key-lines.ts';
import { formatKeyName, type MonthlyKeyName } from './key-name.ts';
import { type Month, monthBefore } from './month.ts';
import { keyOf, stepTo, wordKeyOf } from './ratchet.ts';

const MAX_KEYS = 1_000;
/** Five years, of each secret. */
const MAX_MONTHS = 60;

interface MonthKeys {
  /** Encrypts. */
  key: KeyObject;
  /** Hashes words. */
  wordKey: KeyObject;
}

export interface MonthKey extends MonthlyKeyName, MonthKeys {}

/** The keys of months that follow from the secrets of a key file, as the file was when it was read. */
export class DerivedKeys {
  readonly #file: KeyFile;
  readonly #keys = new Map<string, MonthKeys>();

  constructor(file: KeyFile) {
    this.#file = file;
  }

  /**
   * The key that encrypts in a month, or if that was destroyed, the key of the oldest month that has one.
   * Undefined if the file has no secret.
   * @throws {Error} as `find`
   */
  forMonth(month: Month): MonthKey | undefined {
    const newest = this.#file.monthly.findLast(({ isNext }) => !isNext);
    if (newest === undefined) return undefined;
    const possible = month < newest.month ? newest.month : month;
    return { id: newest.id, month: possible, ...this.#derive(newest, possible) };
  }

  /** The keys of a month and of the months before it, newest first, as far as they were not destroyed. */
  until(month: Month): MonthKey[] {
    const found: MonthKey[] = [];
    for (const secret of this.#file.monthly) {
      // A clock that is behind encrypts with the key of the oldest month that has one.
      let current = month < secret.month ? secret.month : month;
      for (let count = 0; count < MAX_MONTHS && current >= secret.month; count += 1) {
        found.push({ id: secret.id, month: current, ...this.#derive(secret, current) });
        current = monthBefore(current);
      }
    }
    return found.sort((one, other) => (one.month < other.month ? 1 : one.month > other.month ? -1 : 0));
  }

  /** Whether the file has the secret with this ID, or had it until all its months were destroyed. */
  knows(id: string): boolean {
    return this.#file.destroyed.includes(id) || this.#secret(id) !== undefined;
  }

  /** Whether the key was not destroyed. */
  has({ id, month }: MonthlyKeyName): boolean {
    const secret = this.#secret(id);
    return secret !== undefined && month >= secret.month;
  }

  /**
   * Returns undefined if the key was destroyed. The file must know the ID.
   * @throws {Error} if the month is more than 200 years after the month of the secret
   */
  find(id: string, month: Month): KeyObject | undefined {
    const secret = this.#secret(id);
    return secret === undefined || !this.has({ id, month }) ? undefined : this.#derive(secret, month).key;
  }

  get isEmpty(): boolean {
    return this.#file.monthly.length === 0;
  }

  /** The ID of a secret of another content of the file that this one does not know. */
  missingOf(other: DerivedKeys): string | undefined {
    return other.#file.monthly.find(({ id, isNext }) => !isNext && !this.knows(id))?.id;
  }

  /** The ID under which another content of the file has another secret. */
  changedFrom(other: DerivedKeys): string | undefined {
    return other.#file.monthly.find((theirs) => {
      const own = this.#secret(theirs.id);
      if (own === undefined) return false;
      const month = own.month < theirs.month ? theirs.month : own.month;
      return !stepTo(month, own).secret.equals(stepTo(month, theirs).secret);
    })?.id;
  }

  #secret(id: string): MonthlySecret | undefined {
    return this.#file.monthly.find((secret) => secret.id === id);
  }

  #derive(secret: MonthlySecret, month: Month): MonthKeys {
    const name = formatKeyName({ month, id: secret.id });
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const ofMonth = stepTo(month, secret);
    const keys = { key: keyOf(ofMonth), wordKey: wordKeyOf(ofMonth) };
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    this.#keys.set(name, keys);
    return keys;
  }
}
