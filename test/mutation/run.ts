import { execFileSync } from 'node:child_process';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../../bench/measuring/report.ts';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { seed } from '../support/seed.ts';
import { SHARE } from './sample-checker.ts';
import { mutatedFiles } from './scope.ts';
import { loadStryker } from './stryker.ts';
import { summarize } from './summary.ts';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLE_SHARE = '0.05';
const IGNORED = [
  'bench/results',
  'bench/data',
  'data',
  'demo-data',
  'web/screenshots',
  'docs/images',
  '*.log',
];
const plugin = (file: string): string => join(import.meta.dirname, file);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string' },
    concurrency: { type: 'string', default: String(availableParallelism()) },
  },
});
const share = values.share ?? (positionals.length === 0 ? SAMPLE_SHARE : '1');
process.chdir(ROOT);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
process.stdout.write(`${machine()}; commit ${commit}; SEED=${seed}; share ${share}\n`);
process.env[SHARE] = share;
// Copies go from one engine to the other and need both. All other tests run on SQLite alone.
await globalSetup();
process.env.TEST_ENGINES = 'sqlite';
process.env.THOROUGH = '1';
try {
  const { Stryker } = await loadStryker();
  const startedAt = performance.now();
  const results = await new Stryker({
    mutate: positionals.length === 0 ? mutatedFiles : positionals.map(toPattern),
    ignorePatterns: IGNORED,
    plugins: [plugin('sample-checker.ts'), plugin('test-runner.ts'), plugin('progress-reporter.ts')],
    checkers: ['sample'],
    testRunner: 'node-test',
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    disableTypeChecks: false,
    // Stryker adapts this file with an API that TypeScript 7 does not have. Nothing is compiled.
    tsconfigFile: 'none',
    reporters: ['survivors'],
    allowConsoleColors: false,
    // Node runs no TypeScript below a node_modules folder.
    tempDirName: join(tmpdir(), 'tradepost-mutation'),
    cleanTempDir: 'always',
    dryRunTimeoutMinutes: 15,
    // The test runner has a limit for each test file.
    timeoutMS: 2 ** 30,
  }).runMutationTest();
  process.stdout.write(summarize(results, performance.now() - startedAt));
} finally {
  await globalTeardown();
}

/** A folder, a file or a range of lines (`file.ts:10-20`). */
function toPattern(path: string): string {
  return /\.ts(:\d+|$)/.test(path) ? path : join(path, '**/*.ts');
}
