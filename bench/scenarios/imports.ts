import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { importProducts } from '../../src/products/import-products.ts';
import { readProducts } from '../../src/products/read-products.ts';
import { dataRoot, generateDrafts } from '../build-database.ts';
import { type Figure, measured } from '../measure.ts';

const ROUNDS = 7;
const PRODUCTS = 50_000;
const LONG = 300_000;
const directory = join(dataRoot, 'imports');
const program = join(import.meta.dirname, '..', '..', 'bin', 'tradepost.js');
const tables = ['products', 'variations', 'product_counts'];

/** Products imported a second from NDJSON, against a plain script that inserts the same finished rows. */
export async function imports(): Promise<Figure[]> {
  mkdirSync(directory, { recursive: true });
  const file = await writeFile(PRODUCTS);
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await importRate(file);
    const plain = plainRate();
    ratios.push(ours / plain);
    notes = `${PRODUCTS} products with two variations; last round: plain ${plain.toFixed(0)}/s, ours ${ours.toFixed(0)}/s`;
  }
  const samples = await importMemory(await writeFile(LONG));
  const quarter = Math.floor(samples.length / 4);
  const mean = (part: number[]): number => part.reduce((sum, size) => sum + size, 0) / part.length;
  const early = mean(samples.slice(quarter, 2 * quarter));
  const late = mean(samples.slice(3 * quarter));
  rmSync(directory, { recursive: true });
  return [
    { name: 'import ÷ plain inserts', ...measured(ratios), bound: { atLeast: 0.5 }, notes },
    {
      name: `memory in the last quarter of a file of ${LONG} ÷ in its second quarter`,
      ...measured([late / early]),
      bound: { atMost: 1.1 },
      notes: `${early.toFixed(0)} MB, ${late.toFixed(0)} MB on average; at most ${Math.max(...samples)} MB`,
    },
  ];
}

async function writeFile(products: number): Promise<string> {
  const file = join(directory, `${products}.ndjson`);
  const lines = generateDrafts(products, 1).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  return file;
}

function fresh(name: string): string {
  const path = join(directory, name);
  rmSync(path, { recursive: true, force: true });
  return path;
}

async function importRate(file: string): Promise<number> {
  const now = Date.now;
  const database = await openDatabase(parseConfig({ DATA_DIR: fresh('ours') }), now());
  const { id } = await createMerchant({ database, now }, { name: 'm1', email: null, timeZone: 'UTC' });
  const merchant = { id, name: 'm1', email: null, time_zone: 'UTC', created_at: 0 };
  const options = { merchant, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
  const begun = performance.now();
  const { products } = await readProducts(file);
  const summary = await importProducts({ database, now, lowInventory: 5 }, products, options);
  const seconds = (performance.now() - begun) / 1000;
  await database.close();
  if (summary.created !== PRODUCTS) throw new Error(`imported ${JSON.stringify(summary)}`);
  return PRODUCTS / seconds;
}

/** The rows of our own import, inserted into empty tables of the same schema in one transaction. */
function plainRate(): number {
  const source = new DatabaseSync(join(directory, 'ours', 'tradepost.db'), { readOnly: true });
  const path = fresh('plain.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const names = tables.map((table) => `'${table}'`).join(', ');
  const schema = source.prepare(
    `SELECT sql FROM sqlite_schema WHERE tbl_name IN (${names}) AND sql IS NOT NULL`,
  );
  for (const { sql } of schema.all()) database.exec(String(sql));
  const contents = tables.map((table) => {
    const read = source.prepare(`SELECT * FROM ${table}`);
    read.setReturnArrays(true);
    return { table, rows: read.all() as unknown as (string | number | Uint8Array | null)[][] };
  });
  const begun = performance.now();
  database.exec('BEGIN');
  for (const { table, rows } of contents) {
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0]?.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...row);
  }
  database.exec('COMMIT');
  const seconds = (performance.now() - begun) / 1000;
  source.close();
  database.close();
  return PRODUCTS / seconds;
}

/** The memory, in MB, that the command took over time to import a file. */
async function importMemory(file: string): Promise<number[]> {
  const environment = { ...process.env, DATA_DIR: fresh('ours') };
  const run = async (...parameters: string[]): Promise<string> => {
    const child = spawn(process.execPath, parameters, {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    await once(child, 'close');
    return output;
  };
  await run(program, 'merchants', 'create', '--name', 'm1');
  const sampler = join(import.meta.dirname, '..', 'print-memory.ts');
  const output = await run('--import', sampler, program, 'import', 'products', file, '--merchant', 'm1');
  const samples: unknown = JSON.parse(/memory (.*)/.exec(output)?.[1] ?? '[]');
  return Array.isArray(samples) ? samples.map(Number) : [];
}
