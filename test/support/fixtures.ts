import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgresClient from 'postgres';
import { productStatuses } from '../../src/products/record/product.ts';
import type { ClientResponse } from './client.ts';
import type { Engine } from './engines.ts';
import { type Owner, temporaryDirectory } from './process.ts';

const DIRECTORY = join(import.meta.dirname, '..', 'fixtures');

/** The merchants of every fixture, and the tokens that were imported for them. */
export const fixtureMerchants = [
  { name: 'Harbour Home', token: 'harbour-home-working-token' },
  { name: 'Tidal Tools', token: 'tidal-tools-working-token' },
] as const;
export const revokedToken = 'harbour-home-revoked-token';
export const expiredToken = 'harbour-home-expired-token';
/** A user of the first merchant, whose password is `PASSWORD`. */
export const fixtureEmail = 'owner@harbour.example';
/** The request that created a campaign of the first merchant with an idempotency key. */
export const repeatedCampaign = {
  headers: { 'idempotency-key': 'spring-2026' },
  json: { name: 'Spring', type: 'AuctionCampaign', daily_budget: 25.5, lifetime_budget_per_product: 40 },
};

const SORTS = 'created_at updated_at unique_id ratings target_price sfb sales reserve_price'
  .split(' ')
  .flatMap((word) => [`${word}_ascending`, `${word}_descending`]);
const CATEGORIES = ['Home', 'Home | Lamps', 'Garden', 'Garden | Tools'];
const VARIATIONS = ['LAMP-1-RED', 'LAMP-1-BLUE', 'LAMP-1-OLD', 'KETTLE-L'];

/** What a release returned before its database became a fixture. */
export interface Recording {
  /** When the recording was made, in milliseconds since 1970. */
  recordedAt: number;
  /** The cookies of a console session. The fixture keeps it open until 2100. */
  cookies: Record<string, string>;
  observations: unknown;
}

/** Returns exported schedules without the column that releases before the next one do not have. */
function withoutVariations(csv: string): string {
  return csv.replace(',variation_identifier,', ',').replaceAll(/^([^,\n]+,[^,\n]+),,/gm, '$1,');
}

/** The releases that have a fixture, such as `0.1.0`. */
export const fixtureVersions = globSync('*.json', { cwd: DIRECTORY }).map((file) => basename(file, '.json'));

export async function readRecording(version: string): Promise<Recording> {
  return JSON.parse(await readFile(join(DIRECTORY, `${version}.json`), 'utf8'));
}

/** Creates a database from a fixture; resolves to its settings. The database is removed after the test. */
export async function loadFixture(
  t: Owner,
  engine: Engine,
  version: string,
): Promise<Record<string, string> & { DATA_DIR: string }> {
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: directory, ...(await engine.environment({ empty: true })) };
  const dump = await readFile(join(DIRECTORY, `${version}-${engine.name}.sql`), 'utf8');
  const { DATABASE_URL: url } = environment as { DATABASE_URL?: string };
  if (url === undefined) {
    const database = new DatabaseSync(join(directory, 'tradepost.db'));
    database.exec(dump);
    database.close();
  } else {
    const sql = postgresClient(url, { max: 1, onnotice: () => {} });
    await sql.unsafe(dump);
    await sql.end();
  }
  return environment;
}

/**
 * Reads all of the fixture's data through the API and the export commands, in a form that does not depend on the
 * release. `request` gets a path under the base path.
 */
export async function observe(
  request: (path: string) => Promise<ClientResponse>,
  run: (commandLine: string[]) => Promise<string>,
): Promise<unknown> {
  const observations: Record<string, unknown> = {};
  for (const { name, token } of fixtureMerchants) {
    const get = async <Shape>(path: string, query: Record<string, string> = {}): Promise<Shape> => {
      const response = await request(`${path}?${new URLSearchParams({ access_token: token, ...query })}`);
      return response.json<Shape>();
    };
    const list = async (query: Record<string, string>): Promise<string> => {
      const products = await get<{ identifier: string }[]>('/products.json', query);
      return products.map(({ identifier }) => identifier).join(' ');
    };
    const lists: Record<string, string> = {};
    for (const sort of SORTS) lists[sort] = await list({ sort });
    for (const status of productStatuses) lists[status] = await list({ status });
    for (const category of CATEGORIES) lists[category] = await list({ category });
    const variations: Record<string, unknown> = {};
    for (const variation of VARIATIONS)
      variations[variation] = await get('/variations/retrieve.json', { identifier: variation });
    observations[name] = {
      lists,
      totals: await get('/products.json', { pagination: 'true', per_page: '1', page: '2' }),
      products: await get('/products.json'),
      variations,
      sales: await get('/performance/sales.json'),
      campaigns: withoutIds(await run(['export', 'campaigns', '--merchant', name, '--format', 'ndjson'])),
      schedules: withoutVariations(await run(['export', 'schedules', '--merchant', name, '--format', 'csv'])),
    };
  }
  return observations;
}

/** Removes the fields of exported campaigns that earlier releases did not have. */
function withoutIds(lines: string): string {
  return lines.replaceAll(/,"internal_id":"[^"]*","created_at":"[^"]*","updated_at":"[^"]*"\}$/gm, '}');
}
