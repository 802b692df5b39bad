import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import { importProducts } from '../../src/products/files/import-products.ts';
import { readProducts } from '../../src/products/files/read-products.ts';
import type { Writer } from '../../src/products/record/catalog-batch.ts';
import { dataRoot, type Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { plainScripts } from '../plain/scripts.ts';
import { generateDrafts } from '../service/build-database.ts';
import { program } from '../service/servers.ts';

const LARGE_FILE = 300_000;
const files = join(dataRoot, 'files');
const tables = ['products', 'variations', 'product_counts'];
const baselines = {
  sqlite: { name: 'plain inserts', bound: { atLeast: 0.5 } },
  postgres: { name: 'a plain COPY', bound: { atLeast: 0.4 } },
};

/** Measures products per second of an NDJSON import, compared to a script that writes the same rows. */
export async function imports(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const [rounds, products] = short ? [5, 20_000] : [7, 50_000];
  mkdirSync(files, { recursive: true });
  const file = await writeFile(products);
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < rounds; round += 1) {
    const ours = await importSeconds(engine, file, products);
    const plain = await plainSeconds(engine);
    ratios.push(plain / ours);
    const rate = (seconds: number): string => `${(products / seconds).toFixed(0)}/s`;
    notes = `${products} products with two variations; last round: plain script ${rate(plain)}, service ${rate(ours)}`;
  }
  const { name, bound } = baselines[engine.name];
  const speed = { name: `import ÷ ${name}`, ...measured(ratios), bound, notes };
  const figures = short ? [speed] : [speed, await memoryFigure(engine)];
  rmSync(files, { recursive: true });
  for (const database of ['ours', 'plain']) await engine.drop(database);
  return figures;
}

async function memoryFigure(engine: Engine): Promise<Figure> {
  const samples = await importMemory(engine, await writeFile(LARGE_FILE));
  const quarter = Math.floor(samples.length / 4);
  const mean = (part: number[]): number => part.reduce((sum, size) => sum + size, 0) / part.length;
  const early = mean(samples.slice(quarter, 2 * quarter));
  const late = mean(samples.slice(3 * quarter));
  return {
    name: `memory during the last quarter of a file of ${LARGE_FILE} products ÷ during its second quarter`,
    ...measured([late / early]),
    bound: { atMost: 1.1 },
    notes: `${early.toFixed(0)} MB, ${late.toFixed(0)} MB on average; at most ${Math.max(...samples)} MB`,
  };
}

function writeFile(products: number): Promise<string> {
  return writeProducts(join(files, `${products}.ndjson`), products);
}

export async function writeProducts(file: string, products: number): Promise<string> {
  const lines = generateDrafts(products, 1).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  return file;
}

/** Imports into an empty database. Resolves to the duration in seconds. */
export async function importSeconds(
  engine: Engine,
  file: string,
  count: number,
  writer: Writer = { authority: 'operator' },
): Promise<number> {
  const now = Date.now;
  await engine.recreate('ours');
  const database = await openDatabase(parseConfig(engine.settings('ours')), now());
  const { id } = await createMerchant({ database, now }, { name: 'm1', email: null, timeZone: 'UTC' });
  const merchant = await findMerchant({ database }, String(id));
  const options = {
    merchants: itemMerchants(database, merchant),
    dryRun: false,
    onRejected: () => {},
    onRepeated: () => {},
  };
  const start = performance.now();
  const { products } = await readProducts(file);
  const summary = await importProducts(
    { database, now, who: OPERATOR, lowInventory: 5, ...writer },
    products,
    options,
  );
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  if (summary.created !== count) throw new Error(`imported ${JSON.stringify(summary)}`);
  return seconds;
}

/** Writes the imported rows to empty tables with the same indexes. Resolves to seconds. */
async function plainSeconds(engine: Engine): Promise<number> {
  await engine.recreate('plain');
  const [from, to] = [engine.settings('ours'), engine.settings('plain')];
  const database = await openDatabase(parseConfig(to), Date.now());
  await database.close();
  return await plainScripts[engine.name].fill(from, to, tables);
}

/** Returns samples over time, in MB. */
async function importMemory(engine: Engine, file: string): Promise<number[]> {
  await engine.recreate('ours');
  const environment = { ...process.env, ...engine.settings('ours') };
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
  const sampler = join(import.meta.dirname, '..', 'measuring', 'print-memory.ts');
  const output = await run('--import', sampler, program, 'import', 'products', file, '--merchant', 'm1');
  const samples: unknown = JSON.parse(/memory (.*)/.exec(output)?.[1] ?? '[]');
  return Array.isArray(samples) ? samples.map(Number) : [];
}
