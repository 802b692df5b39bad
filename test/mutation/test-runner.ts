import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTestFile } from './run-test-file.ts';
import { listTestFiles } from './scope.ts';
import type { DryRun, MutantRun, TestResult, TestRunner } from './stryker.ts';

const HOOK = new URL('coverage-hook.ts', import.meta.url).href;
const DRY_RUN_LIMIT_MS = 180_000;
const LIMIT_FACTOR = 3;
const LIMIT_MS = 15_000;
/** How long each test file took without a mutant, for the processes that run mutants. */
const TIMES = '.test-times.json';

interface Reached {
  test: TestResult;
  coverage: Record<string, number>;
}

/** With a mutant, fast files that reach few mutants are the first: they are most likely about it. */
class NodeTestRunner implements TestRunner {
  readonly #concurrency: number;
  #times: Promise<Record<string, number>> | undefined;

  constructor({ concurrency }: { concurrency: number }) {
    this.#concurrency = concurrency;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRun> {
    const waiting = listTestFiles(process.cwd());
    const runs: Reached[] = [];
    const work = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        runs.push(await measureCoverage(file));
      }
    };
    await Promise.all(Array.from({ length: this.#concurrency }, work));
    const cost = ({ test, coverage }: Reached): number => test.timeSpentMs * Object.keys(coverage).length;
    runs.sort((one, other) => cost(one) - cost(other));
    const times = Object.fromEntries(runs.map(({ test }) => [test.id, test.timeSpentMs]));
    await writeFile(TIMES, JSON.stringify(times));
    return {
      status: 'complete',
      tests: runs.map(({ test }) => test),
      mutantCoverage: {
        static: {},
        perTest: Object.fromEntries(runs.map(({ test, coverage }) => [test.id, coverage])),
      },
    };
  }

  async mutantRun({
    activeMutant,
    testFilter = [],
  }: Parameters<TestRunner['mutantRun']>[0]): Promise<MutantRun> {
    this.#times ??= readFile(TIMES, 'utf8').then((text) => JSON.parse(text));
    const times = await this.#times;
    const environment = { __STRYKER_ACTIVE_MUTANT__: activeMutant.id };
    for (const [index, file] of testFilter.entries()) {
      const limitMs = LIMIT_FACTOR * (times[file] ?? 0) + LIMIT_MS;
      const { result, output } = await runTestFile(file, environment, limitMs);
      if (result === 'timeout') return { status: 'timeout', reason: `${file} took more than ${limitMs} ms` };
      if (result === 'failed')
        return { status: 'killed', killedBy: [file], failureMessage: output, nrOfTests: index + 1 };
    }
    return { status: 'survived', nrOfTests: testFilter.length };
  }
}

/** Counts how often a test file and the processes that it starts reach each mutant. */
async function measureCoverage(file: string): Promise<Reached> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-coverage-'));
  const environment = { MUTATION_COVERAGE: directory, NODE_OPTIONS: `--import=${HOOK}` };
  const { result, milliseconds, output } = await runTestFile(file, environment, DRY_RUN_LIMIT_MS);
  const coverage: Record<string, number> = {};
  for (const name of await readdir(directory)) {
    const counts: Record<string, number> = JSON.parse(await readFile(join(directory, name), 'utf8'));
    for (const [id, count] of Object.entries(counts)) coverage[id] = (coverage[id] ?? 0) + count;
  }
  await rm(directory, { recursive: true });
  const test = { id: file, name: file, timeSpentMs: milliseconds };
  return {
    test: result === 'passed' ? { ...test, status: 0 } : { ...test, status: 1, failureMessage: output },
    coverage,
  };
}

const createTestRunner = Object.assign((options: { concurrency: number }) => new NodeTestRunner(options), {
  inject: ['options'],
});

/** Loaded by Stryker. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'node-test', factory: createTestRunner }];
