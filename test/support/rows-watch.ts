import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Database, TransactionOptions } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { Statement } from '../../src/database/statement.ts';
import { tablesOf } from '../database/routing.ts';

/** Only the coordinator of a cluster has them. They are small, and searched before the merchant is known. */
export const coordinatorTables = [
  'placement_requests',
  'merchants',
  'merchant_names',
  'merchant_words',
  'access_tokens',
  'tradepost_migrations',
  'console_users',
  'memberships',
  'operators',
  'marketplace',
  'user_sessions',
  'user_identities',
  'user_passkeys',
  'support_views',
  'user_accounts',
  'user_verifications',
  'user_two_factors',
  'attempt_counts',
  'console_secrets',
  'events',
  'event_feed',
  'webhooks',
  'webhook_deliveries',
  'webhook_attempts',
  'mails',
  'metadata_lists',
  'listed_categories',
  'customer_keys',
  'placement_request_hours',
  'call_totals',
  'placement_demand',
  'nodes',
  'node_metrics',
  'placement_hours',
  'acme_accounts',
  'acme_certificates',
  'acme_failures',
  'acme_challenges',
  'release_notices',
];

const schema = readFileSync(join(import.meta.dirname, '../../src/database/schema.ts'), 'utf8');
const created = [...schema.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name);
const owned = new Set(
  ['search_words', 'search_prefixes', ...created].filter((name) => !coordinatorTables.includes(name)),
);

/** Collects transactions that use rows of merchants that their options do not name. */
export class RowsWatch {
  readonly #undeclared = new Set<string>();
  /** By SQL. */
  readonly #usesOwned = new Map<string, boolean>();

  wrap(database: Database): Database {
    return intercept(database, {
      // Statements in the writer thread are not seen, but SQLite is never distributed.
      inWriterThread: (verb) => database.inWriterThread(verb),
      transaction: (work, options = {}) =>
        database.transaction((connection) => work(this.#watch(connection, options)), options),
    });
  }

  /** Returns the transactions since the last call. */
  undeclared(): string[] {
    const found = [...this.#undeclared];
    this.#undeclared.clear();
    return found;
  }

  #watch(connection: Connection, options: TransactionOptions): Connection {
    const check = (statement: Pick<Statement, 'sql'>, parameters: unknown): void =>
      this.#check(statement, parameters, options);
    return {
      all: (statement, ...parameters) => {
        check(statement, parameters[0]);
        return connection.all(statement, ...parameters);
      },
      allEach: (statement, sets) => {
        for (const parameters of sets) check(statement, parameters);
        return connection.allEach(statement, sets);
      },
      first: (statement, ...parameters) => {
        check(statement, parameters[0]);
        return connection.first(statement, ...parameters);
      },
      run: (statement, ...parameters) => {
        check(statement, parameters[0]);
        return connection.run(statement, ...parameters);
      },
      runEach: (statement, sets) => {
        for (const parameters of sets) check(statement, parameters);
        return connection.runEach(statement, sets);
      },
      send: (statement, sets) => {
        for (const parameters of sets) check(statement, parameters);
        connection.send(statement, sets);
      },
    };
  }

  #check({ sql }: Pick<Statement, 'sql'>, parameters: unknown, options: TransactionOptions): void {
    if (options.everyNode === true) return;
    const usesOwned = this.#usesOwned.get(sql) ?? namesOwned(sql);
    this.#usesOwned.set(sql, usesOwned);
    if (!usesOwned) return;
    const { merchantId, merchant_id } = (parameters ?? {}) as { merchantId?: unknown; merchant_id?: unknown };
    const merchant = merchantId ?? merchant_id;
    if (merchant === options.merchantId) return;
    this.#undeclared.add(`merchant ${String(merchant)}, but declared ${String(options.merchantId)}: ${sql}`);
  }
}

function namesOwned(sql: string): boolean {
  return tablesOf(sql.replaceAll(/\s+/g, ' ')).some(({ table }) => owned.has(table));
}
