import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { formatKeyId } from './key-id.ts';
import { findCallerByTokenHash } from './queries.ts';
import { hashToken } from './token.ts';

/** Who a request comes from, and the state of the catalog when that was looked up. */
export interface Caller {
  merchantId: number;
  keyId: number;
  /** The key as `formatKeyId` names it. */
  key: string;
  catalogRevision: number;
}

interface Known {
  /** Undefined where nobody can tell later whether it still holds. */
  version: number | undefined;
  expiresAt: number;
  caller: Caller;
}

const REMEMBERED_TOKENS = 10_000;

/**
 * Tells who a token belongs to. What it remembers it uses only while the database says that nothing at
 * all was committed since, so that a revoked key is refused from the next request on in every process.
 */
export class TokenVerifier {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  /** The look-ups that have not begun yet. */
  readonly #next = new Map<string, Promise<Caller | undefined>>();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** The caller if that can be told without asking the database for the token. */
  recall(token: string): Caller | undefined {
    const known = this.#known.get(token);
    if (known?.version === undefined) return undefined;
    if (known.version !== this.#database.version() || known.expiresAt <= this.#now()) return undefined;
    return known.caller;
  }

  /** Whether a token was good when this process last looked it up: then it is not a guess. */
  wasGood(token: string): boolean {
    return this.#known.has(token);
  }

  /** The merchant of a token that was good when it was last looked up here; it may have been revoked since. */
  merchantOf(token: string): number | undefined {
    return this.#known.get(token)?.caller.merchantId;
  }

  /** The caller, or undefined for a token that is unknown, revoked or expired. */
  async verify(token: string): Promise<Caller | undefined> {
    const recalled = this.recall(token);
    if (recalled !== undefined) return recalled;
    let lookUp = this.#next.get(token);
    if (lookUp === undefined) {
      lookUp = this.#lookUpNext(token);
      this.#next.set(token, lookUp);
    }
    return await lookUp;
  }

  /** One look-up for every request of this turn of the event loop: it begins after all of them came. */
  async #lookUpNext(token: string): Promise<Caller | undefined> {
    await nextTurn();
    this.#next.delete(token);
    const version = this.#database.version();
    const row = await this.#database.first(findCallerByTokenHash, [hashToken(token)]);
    this.#known.delete(token);
    if (row === undefined || row.revoked_at !== null) return undefined;
    const expiresAt = row.expires_at ?? Number.POSITIVE_INFINITY;
    if (expiresAt <= this.#now()) return undefined;
    const caller = {
      merchantId: row.merchant_id,
      keyId: row.key_id,
      key: formatKeyId(row.merchant_id, row.key_id),
      catalogRevision: row.catalog_revision,
    };
    if (this.#known.size >= REMEMBERED_TOKENS) this.#known.clear();
    this.#known.set(token, { version, expiresAt, caller });
    return caller;
  }
}
