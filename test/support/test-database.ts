import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { openServiceDatabase } from '../../src/service.ts';
import { newDataDirectory } from './data-template.ts';
import type { Engine } from './engines.ts';

const findRevision = statement<{ id: number }, { revision: number }>(
  'SELECT catalog_revision AS revision FROM merchant_counters WHERE merchant_id = :id',
);

/** Without a service, and with a clock that the test sets. */
export class TestDatabase {
  readonly database: Database;
  readonly #directory: string;
  #now = Date.UTC(2026, 5, 15, 12);
  #merchants = 0;

  constructor(database: Database, directory: string) {
    this.database = database;
    this.#directory = directory;
  }

  static async open(engine: Engine): Promise<TestDatabase> {
    const environment = await engine.environment();
    const directory = await newDataDirectory(environment);
    const config = parseConfig({ DATA_DIR: directory, ...environment });
    return new TestDatabase(await openServiceDatabase(config, 0), directory);
  }

  readonly now = (): number => this.#now;

  passTime(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async newMerchant(timeZone = 'UTC'): Promise<{ id: number }> {
    this.#merchants += 1;
    return await createMerchant(this, { name: `Merchant no. ${this.#merchants}`, email: null, timeZone });
  }

  /** All catalog and sales tables, for comparisons. */
  async contents(): Promise<Record<string, unknown[]>> {
    const tables = [
      'merchants',
      'merchant_counters',
      'products',
      'product_counts',
      'variations',
      'schedules',
      'sales_months',
    ];
    const contents: Record<string, unknown[]> = {};
    for (const table of tables)
      contents[table] = await this.database.all(
        statement<unknown, unknown>(`SELECT * FROM ${table} ORDER BY 1, 2, 3`),
      );
    return contents;
  }

  async revisionOf({ id }: { id: number }): Promise<number> {
    const row = await this.database.first(findRevision, { id });
    return row?.revision ?? Number.NaN;
  }

  async close(): Promise<void> {
    await this.database.close();
    await rm(this.#directory, { recursive: true });
  }
}

export function useDatabase(engine: Engine): () => TestDatabase {
  let opened: TestDatabase | undefined;
  before(async () => {
    opened = await TestDatabase.open(engine);
  });
  after(() => opened?.close());
  return () => {
    assert(opened !== undefined, 'the database is open only while the suite runs');
    return opened;
  };
}
