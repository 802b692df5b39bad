import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createOperatorKey } from '../../test/support/keys.ts';
import { dataRoot, type Engine } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { sendStream } from '../service/send-stream.ts';
import { program, serve } from '../service/servers.ts';
import { writeProducts } from './imports.ts';

const ROUNDS = 3;
const SAMPLE_MS = 500;
const files = join(dataRoot, 'stream-files');

/**
 * Measures products per second of a stream to the operator API, compared to the import command, and the
 * memory of both processes that handle the stream. BENCH_STREAM_PRODUCTS is the number of products.
 */
export async function operatorStream(engine: Engine): Promise<Figure[]> {
  const count = Number(process.env.BENCH_STREAM_PRODUCTS ?? 100_000);
  mkdirSync(files, { recursive: true });
  const file = await writeProducts(join(files, `${count}.ndjson`), count);
  const ratios: number[] = [];
  const growth: number[] = [];
  let notes = '';
  let memory = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const command = await commandSeconds(engine, file);
    const { seconds, samples } = await streamSeconds(engine, file, count);
    ratios.push(command / seconds);
    const rate = (duration: number): string => `${(count / duration).toFixed(0)}/s`;
    notes = `${count} products with two variations; last round: command ${rate(command)}, stream ${rate(seconds)}`;
    const quarter = Math.floor(samples.length / 4);
    const early = mean(samples.slice(quarter, 2 * quarter));
    const late = mean(samples.slice(3 * quarter));
    growth.push(late / early);
    memory = `${early.toFixed(0)} MB, ${late.toFixed(0)} MB on average; at most ${Math.max(...samples).toFixed(0)} MB`;
  }
  rmSync(files, { recursive: true });
  await engine.drop('ours');
  return [
    { name: 'operator stream ÷ import command', ...measured(ratios), bound: { atLeast: 0.8 }, notes },
    {
      name: 'memory of the server and the stream’s process in the last quarter ÷ in the second quarter',
      ...measured(growth),
      bound: { atMost: 1.1 },
      notes: memory,
    },
  ];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Creates a merchant in an empty database. Resolves to an operator token. */
async function prepare(engine: Engine): Promise<string> {
  const now = Date.now;
  await engine.recreate('ours');
  const database = await openDatabase(parseConfig(engine.settings('ours')), now());
  try {
    await createMerchant({ database, now }, { name: 'm1', email: null, timeZone: 'UTC', externalId: 'm1' });
    const key = { name: 'bench', scopes: ['catalog'], expiresAt: null } as const;
    return (await createOperatorKey({ database, now }, key)).token;
  } finally {
    await database.close();
  }
}

/** Resolves to the duration in seconds. */
async function commandSeconds(engine: Engine, file: string): Promise<number> {
  await prepare(engine);
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'import', 'products', file, '--merchant', 'm1'], {
    env: { ...process.env, ...engine.settings('ours') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`the import command ended with status ${status}`);
  return (performance.now() - start) / 1000;
}

/** Resolves to the duration in seconds, and samples of the memory in MB. */
async function streamSeconds(
  engine: Engine,
  file: string,
  count: number,
): Promise<{ seconds: number; samples: number[] }> {
  const token = await prepare(engine);
  const settings = engine.settings('ours');
  await using server = await serve(settings);
  const samples: number[] = [];
  const sampler = setInterval(() => samples.push(server.residentOfAll()), SAMPLE_MS);
  const stream = { path: 'merchants/m1/products', token, file, count };
  const seconds = await sendStream(server, settings, stream);
  clearInterval(sampler);
  return { seconds, samples };
}
