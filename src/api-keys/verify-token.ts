import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import type { RowOf } from '../database/statement.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import { findCaller, findTokenOwner } from './queries.ts';
import type { RecordFields } from './record-fields.ts';
import { type OperatorScope, operatorScopes, parseScopes, type Scope, scopes } from './scopes.ts';
import { hashToken, prefixKind, type TokenKind } from './token.ts';

/** The sender of a request, and the revision of the merchant's catalog at the lookup. */
export interface Caller<Granted extends string = Scope> {
  /** `OPERATOR_ID` for an operator key. */
  merchantId: number;
  keyId: number;
  /** As `formatKeyId` returns it. */
  key: string;
  scopes: readonly Granted[];
  fields: RecordFields;
  catalogRevision: number;
  /** How many requests the key may send in a minute; null for the setting. */
  requestLimit: number | null;
}

interface CachedCaller<Granted extends string> {
  /** The database's version before the lookup; undefined if the engine has none. */
  version: number | undefined;
  expiresAt: number;
  caller: Caller<Granted>;
}

const MAX_CACHED_TOKENS = 10_000;
const MAX_REFUSED_TOKENS = 1_000;

interface TokenOwners<Granted extends string> {
  includes(ownerId: number): boolean;
  /** What is wrong with tokens of these kinds, which other keys have. */
  misplaced: Partial<Record<TokenKind, string>>;
  scopes: readonly Granted[];
}

const merchantKeys: TokenOwners<Scope> = {
  includes: (ownerId) => ownerId !== OPERATOR_ID,
  scopes,
  misplaced: { operator: 'it is the token of an operator key, which only the operator API accepts' },
};

const MERCHANT_TOKEN =
  'it is the token of a merchant’s key, and the operator API accepts only tokens of operator keys';

const operatorKeys: TokenOwners<OperatorScope> = {
  includes: (ownerId) => ownerId === OPERATOR_ID,
  misplaced: { live: MERCHANT_TOKEN, test: MERCHANT_TOKEN },
  scopes: operatorScopes,
};

/**
 * Finds the caller of a token. A cached caller is used only while the database reports that nothing was
 * committed since, so that every process rejects a revoked key from the next request on.
 */
export class TokenVerifier<Granted extends string = Scope> {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #owners: TokenOwners<Granted>;
  readonly #cache = new Map<string, CachedCaller<Granted>>();
  /** The keys of tokens that were revoked, expired, or a suspended merchant's at their last lookup. */
  readonly #refused = new Map<string, KeyNumbers>();
  readonly #scheduled = new Map<string, Promise<Caller<Granted> | undefined>>();

  private constructor(database: Database, now: () => number, owners: TokenOwners<Granted>) {
    this.#database = database;
    this.#now = now;
    this.#owners = owners;
  }

  /** Accepts the tokens of merchants that are not suspended, and of their test keys. */
  static ofMerchants(database: Database, now: () => number): TokenVerifier {
    return new TokenVerifier(database, now, merchantKeys);
  }

  static ofOperator(database: Database, now: () => number): TokenVerifier<OperatorScope> {
    return new TokenVerifier(database, now, operatorKeys);
  }

  /** Returns the caller of a token if the cache is up to date, without a query. */
  recall(token: string): Caller<Granted> | undefined {
    const cached = this.#cache.get(token);
    if (cached?.version === undefined) return undefined;
    if (cached.version !== this.#database.version() || cached.expiresAt <= this.#now()) return undefined;
    return cached.caller;
  }

  /** Whether a token was valid when this process last looked it up; if so, it is not a guess. */
  wasValid(token: string): boolean {
    return this.#cache.has(token);
  }

  /** Returns the caller of a token that was valid at its last lookup. It may have been revoked since. */
  lastCallerOf(token: string): Caller<Granted> | undefined {
    return this.#cache.get(token)?.caller;
  }

  /** Like `lastCallerOf`. */
  merchantOf(token: string): number | undefined {
    return this.lastCallerOf(token)?.merchantId;
  }

  /** Returns the key of a token that `verify` has just refused; undefined if the token is unknown. */
  refusedKeyOf(token: string): KeyNumbers | undefined {
    return this.#refused.get(token);
  }

  /** Returns why these tokens cannot be valid if their prefixes show it, whether or not they exist. */
  explainMisplaced(tokens: readonly string[]): string | undefined {
    const kinds = new Set(tokens.map(prefixKind));
    const [kind] = kinds;
    return kinds.size === 1 && kind !== undefined ? this.#owners.misplaced[kind] : undefined;
  }

  /** Returns undefined if the token is unknown, revoked, expired or of a suspended merchant. */
  async verify(token: string): Promise<Caller<Granted> | undefined> {
    const recalled = this.recall(token);
    if (recalled !== undefined) return recalled;
    let lookUp = this.#scheduled.get(token);
    if (lookUp === undefined) {
      lookUp = this.#lookUpSoon(token);
      this.#scheduled.set(token, lookUp);
    }
    return await lookUp;
  }

  /** Looks a token up in the next turn of the event loop, once for all requests that arrive in this one. */
  async #lookUpSoon(token: string): Promise<Caller<Granted> | undefined> {
    await nextTurn();
    this.#scheduled.delete(token);
    const version = this.#database.version();
    const row = await this.#find(token);
    this.#cache.delete(token);
    this.#refused.delete(token);
    if (row === undefined) return undefined;
    const expiresAt = row.expires_at ?? Number.POSITIVE_INFINITY;
    if (row.revoked_at !== null || row.suspended_at !== null || expiresAt <= this.#now()) {
      if (this.#refused.size >= MAX_REFUSED_TOKENS) this.#refused.clear();
      this.#refused.set(token, { merchantId: row.merchant_id, id: row.key_id });
      return undefined;
    }
    const caller = {
      merchantId: row.merchant_id,
      keyId: row.key_id,
      key: formatKeyId({ merchantId: row.merchant_id, id: row.key_id }),
      scopes: parseScopes(row.scopes, this.#owners.scopes) ?? [],
      fields: row.fields,
      catalogRevision: row.catalog_revision,
      requestLimit: row.request_limit,
    };
    if (this.#cache.size >= MAX_CACHED_TOKENS) this.#cache.clear();
    this.#cache.set(token, { version, expiresAt, caller });
    return caller;
  }

  /** Uses a single statement, on the merchant's node, if this process knows the token's merchant. */
  async #find(token: string): Promise<RowOf<typeof findCaller> | undefined> {
    const tokenHash = hashToken(token);
    const merchantId = this.merchantOf(token);
    if (merchantId !== undefined) {
      const row = await this.#database.first(findCaller, { merchantId, tokenHash });
      if (row !== undefined) return row;
    }
    // The token may also have been given to another merchant since.
    const owner = await this.#database.first(findTokenOwner, { tokenHash });
    if (owner === undefined || owner.merchant_id === merchantId) return undefined;
    if (!this.#owners.includes(owner.merchant_id)) return undefined;
    return await this.#database.first(findCaller, { merchantId: owner.merchant_id, tokenHash });
  }
}
