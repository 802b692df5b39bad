import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { productFields } from '../../src/products/record/product.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { dataRoot, type Engine } from '../engines/engine.ts';
import { send } from '../measuring/client.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { generateDrafts } from '../service/build-database.ts';
import { serve, tokenOf } from '../service/servers.ts';
import { importSeconds } from './imports.ts';

const ROUNDS = 5;
const LINES = 1_000;
/** One batch is sent while the service works on another. */
const CONNECTIONS = 2;
/** So that 1,000 lines fit into a request. */
const MAX_DESCRIPTION = 150;

/** Measures products per second of batches of 1,000 lines, compared to an import of the lines. */
export async function batch(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const batches = short ? 8 : 20;
  const lines = [...generateDrafts(LINES * batches, 1)].map(merchantLine);
  const changed = lines.map((line) => line.replace('"title":"', '"title":"New: '));
  const directory = join(dataRoot, 'files');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'batch.ndjson');
  writeFileSync(file, lines.join(''));
  const ratios: Record<'created' | 'updated', number[]> = { created: [], updated: [] };
  let notes = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const writer = {
      authority: 'merchant',
      maxCategories: 10_000,
      onlyListedCategories: false,
      moderationQueue: false,
    } as const;
    const imported = await importSeconds(engine, file, lines.length, writer);
    const created = await batchSeconds(engine, lines, changed);
    ratios.created.push(imported / created.first);
    ratios.updated.push(imported / created.second);
    const rate = (seconds: number): string => `${(lines.length / seconds).toFixed(0)}/s`;
    notes = `last round: import ${rate(imported)}, created ${rate(created.first)}, updated ${rate(created.second)}`;
  }
  rmSync(directory, { recursive: true });
  await engine.drop('ours');
  return (['created', 'updated'] as const).map((kind) => ({
    name: `POST /products/batch.json: products ${kind} per second ÷ an import of the same lines`,
    ...measured(ratios[kind]),
    // An update also reads the product and changes its index entries.
    bound: kind === 'created' ? { atLeast: 0.6 } : null,
    notes,
  }));
}

function merchantLine({ identifier, fields, variations = [] }: ProductDraft): string {
  const allowed = Object.entries(fields).filter(
    ([name]) => productFields[name as keyof typeof fields].owner === 'merchant',
  );
  const description = fields.description?.slice(0, MAX_DESCRIPTION);
  const listed = variations.map(({ identifier, quantity, size, color }) => ({
    identifier,
    quantity,
    size,
    color,
  }));
  const line = { identifier, ...Object.fromEntries(allowed), description, variations: listed };
  return `${JSON.stringify(line)}\n`;
}

/** Returns the seconds to create products in batches, and to change them again. */
async function batchSeconds(
  engine: Engine,
  lines: readonly string[],
  changed: readonly string[],
): Promise<{ first: number; second: number }> {
  const now = Date.now;
  await engine.recreate('ours');
  const settings = engine.settings('ours');
  const database = await openDatabase(parseConfig(settings), now());
  await createMerchant({ database, now }, { name: 'm1', email: null, timeZone: 'UTC' });
  await database.close();
  const token = await tokenOf(settings, 'm1');
  await using server = await serve(settings);
  const url = `${server.baseUrl}/products/batch.json?access_token=${token}`;
  return { first: await sendAll(url, lines, 'created'), second: await sendAll(url, changed, 'updated') };
}

async function sendAll(url: string, lines: readonly string[], kind: 'created' | 'updated'): Promise<number> {
  const bodies = Array.from({ length: lines.length / LINES }, (_, index) =>
    lines.slice(index * LINES, (index + 1) * LINES).join(''),
  );
  const start = performance.now();
  const connection = async (): Promise<void> => {
    for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
      const { status, body: response } = await send(url, body, { 'content-type': 'application/x-ndjson' });
      if (status !== 200 || !response.includes(`"${kind}":${LINES}`))
        throw new Error(`the service responded with ${status}: ${response.toString().slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return (performance.now() - start) / 1000;
}
