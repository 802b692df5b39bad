import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { seed } from './support/seed.ts';

/**
 * The API and the rules beneath it. Other tests need a browser, further processes or a database server, or
 * take long (`console`, `mail`).
 */
const FOLDERS = [
  'budgets',
  'clients',
  'conformance',
  'events',
  'explain',
  'files',
  'http',
  'metadata',
  'openapi',
  'operator',
  'orders',
  'products',
  'sales',
  'shared',
  'web',
  'workers',
];
/** Each takes two seconds or more, mostly because it tries many random calls or very large contents. */
const LONG_FILES = [
  'conformance/imports',
  'conformance/pages-under-writes',
  'conformance/post-data',
  'conformance/write-batches',
  'contributing',
  'events/catalog-changed',
  'explain/figures',
  'openapi/parameters',
  'openapi/writes',
  'operator/fuzz',
  'operator/openapi',
  'orders/copies',
  'orders/events',
  'orders/files',
  'orders/leaks',
  'orders/model',
  'orders/retention',
  'orders/streams',
  'products/import-export',
  'products/import-products',
  'products/paging',
  'products/search-model',
  'sales/import-schedules',
].map((name) => `test/${name}.test.ts`);
const SHARDS = 2;

/** Returns the paths of the quick tests. Throws if a long file does not exist. */
function quickFiles(): string[] {
  const files = globSync([
    `test/{${FOLDERS.join(',')}}/**/!(*.slow).test.ts`,
    'test/!(*.slow).test.ts',
  ]).sort();
  const unknown = LONG_FILES.filter((file) => !files.includes(file));
  if (unknown.length > 0) throw new Error(`No such tests: ${unknown.join(', ')}`);
  return files.filter((file) => !LONG_FILES.includes(file));
}

/**
 * Runs a part of the quick tests in one process, because loading the service for each file takes most of the
 * time. Prints their report, and resolves to whether all passed.
 */
async function runShard(number: number, files: string[]): Promise<boolean> {
  const options = [
    '--test',
    '--test-isolation=none',
    `--test-shard=${number}/${SHARDS}`,
    '--test-global-setup=test/support/global-setup.ts',
    '--test-timeout=60000',
    '--test-reporter=spec',
  ];
  const child = spawn(process.execPath, [...options, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TEST_ENGINES: 'sqlite',
      SEED: String(seed),
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compile'),
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const report = await buffer(child.stdout);
  process.stdout.write(report);
  return (await ended) === 0;
}

const files = quickFiles();
const passed = await Promise.all(Array.from({ length: SHARDS }, (_, index) => runShard(index + 1, files)));
if (passed.includes(false)) process.exitCode = 1;
