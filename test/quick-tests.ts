import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { seed } from './support/seed.ts';

/** The folders whose tests need no browser, no second process and no real database server. */
const FOLDERS = [
  'budgets',
  'clients',
  'conformance',
  'console',
  'events',
  'files',
  'http',
  'mail',
  'openapi',
  'operator',
  'products',
  'sales',
  'shared',
  'web',
  'workers',
];
const SHARDS = 2;

/**
 * Runs a part of the quick tests in one process, because loading the service for each file takes most of the
 * time. Prints their report, and resolves to whether all passed.
 */
async function runShard(number: number): Promise<boolean> {
  const options = [
    '--test',
    '--test-isolation=none',
    `--test-shard=${number}/${SHARDS}`,
    '--test-global-setup=test/support/global-setup.ts',
    '--test-timeout=60000',
    '--test-reporter=spec',
  ];
  const files = [`test/{${FOLDERS.join(',')}}/**/!(*.slow).test.ts`, 'test/!(*.slow).test.ts'];
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

const passed = await Promise.all(Array.from({ length: SHARDS }, (_, index) => runShard(index + 1)));
if (passed.includes(false)) process.exitCode = 1;
