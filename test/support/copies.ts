import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { copyDatabase } from '../../src/copy/copy-database.ts';
import { openSource, openTarget, parseLocation } from '../../src/copy/location.ts';
import { tables } from '../../src/copy/tables.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement, type Value } from '../../src/database/statement.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { type Catalog, importDrafts, importScheduleDrafts } from './catalog.ts';
import { type Engine, postgres, sqlite } from './engines.ts';
import { createKey, revokeKey } from './keys.ts';
import { type Owner, temporaryDirectory } from './process.ts';
import { fc } from './seed.ts';
import { wildDraft, wildSchedule } from './wild-data.ts';

export const directions: { from: Engine; to: Engine }[] = [
  { from: sqlite, to: postgres },
  { from: postgres, to: sqlite },
];

/** Its settings, and its address for `tradepost copy`. */
export interface CopyDatabase {
  environment: Record<string, string> & { DATA_DIR: string };
  address: string;
}

export async function newCopyDatabase(t: Owner, engine: Engine): Promise<CopyDatabase> {
  const directory = await temporaryDirectory(t);
  const settings = await engine.environment({ empty: true });
  const environment = { ...settings, DATA_DIR: directory };
  return { environment, address: addressOf(environment) };
}

export async function openCopyDatabase(t: Owner, { environment }: CopyDatabase): Promise<Database> {
  const database = await openDatabase(parseConfig(environment), Date.now());
  t.after(() => database.close());
  return database;
}

function addressOf({ DATABASE_URL, DATA_DIR }: CopyDatabase['environment']): string {
  return DATABASE_URL ?? `sqlite:${join(DATA_DIR, 'tradepost.db')}`;
}

/** Copies the database of a service that has stopped, as `tradepost copy` does. */
export async function copyTo(
  from: CopyDatabase['environment'],
  to: CopyDatabase['environment'],
): Promise<void> {
  const waiting = { waitMs: 0, onWaiting: () => {} };
  const source = await openSource(parseLocation(addressOf(from)), waiting);
  const target = await openTarget(parseLocation(addressOf(to)), waiting);
  const progress = { onBegin: () => {}, onRows: () => {}, onTable: () => {} };
  await copyDatabase(source, target, { now: Date.now(), progress });
  await target.close();
  await source.close();
}

/** Products of every kind, the same for the same seed. */
export function wildDrafts(count: number, seed: number) {
  return fc.sample(wildDraft, { numRuns: count, seed });
}

/** Adds a catalog, schedules, and a working, a revoked, an expired and an imported key. */
export async function fillMerchant(
  services: Catalog,
  name: string,
  { products = 60, seed = 1 } = {},
): Promise<{ id: number; tokens: string[] }> {
  const { id, token } = await createMerchant(services, { name, email: 'a@b.test', timeZone: 'Asia/Kolkata' });
  const addKey = async (key: {
    expiresAt?: number;
    token?: string;
  }): Promise<{ id: string; token: string }> =>
    await createKey(services, { merchantId: id, name: 'further', expiresAt: null, ...key });
  const revoked = await addKey({});
  await revokeKey(services, revoked.id);
  const expired = await addKey({ expiresAt: services.now() - 1 });
  await createKey(services, { merchantId: id, name: 'test', expiresAt: null, mode: 'test' });
  const imported = await addKey({ token: `imported-${name}-${seed}` });
  await importDrafts(services, { id }, [wildDrafts(products, seed)]);
  await importScheduleDrafts(services, { id }, [fc.sample(wildSchedule, { numRuns: 80, seed })]);
  return { id, tokens: [token, revoked.token, expired.token, imported.token] };
}

/** Reads every copied table, in the same form from both engines. */
export async function readTables(database: Database): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  for (const { name, primaryKey } of tables) {
    const rows = await database.all(
      statement<unknown, Record<string, Value>>(`SELECT * FROM ${name} ORDER BY ${primaryKey.join(', ')}`),
    );
    contents[name] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
        ]),
      ),
    );
  }
  return contents;
}

export async function assertCopied(from: Database, to: Database): Promise<void> {
  assert.deepEqual(await readTables(to), await readTables(from));
}
