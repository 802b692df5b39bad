import { importOnDemand } from '../../bench/measuring/import-on-demand.ts';

const VERSION = '10.1.1';

/** A change of the source code that tests should notice. */
export interface Mutant {
  id: string;
  /** The absolute path of the original file. */
  fileName: string;
  location: { start: Position; end: Position };
  mutatorName: string;
  replacement: string;
}

export interface Position {
  line: number;
  column: number;
}

export interface MutantResult extends Mutant {
  status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'CompileError' | 'RuntimeError' | 'Ignored';
  statusReason?: string;
  killedBy?: string[];
}

/** A plugin that decides which mutants are tested. */
export interface Checker {
  init(): Promise<void>;
  /** Returns all ids as one group: `check` gets them in one call. */
  group(mutants: Mutant[]): Promise<string[][]>;
  check(mutants: Mutant[]): Promise<Record<string, Checked>>;
}

type Checked = { status: 'passed' } | { status: 'compileError'; reason: string };

/** A plugin that runs tests. A test is a test file here. */
export interface TestRunner {
  capabilities(): { reloadEnvironment: boolean };
  /** Runs all tests without a mutant, and finds out which mutants each of them reaches. */
  dryRun(): Promise<DryRun>;
  mutantRun(run: { activeMutant: Mutant; testFilter?: string[] }): Promise<MutantRun>;
}

export interface DryRun {
  status: 'complete';
  tests: TestResult[];
  /** For each test, how many times it reached which mutant. */
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

export type TestResult = { id: string; name: string; timeSpentMs: number } & (
  | { status: 0 }
  | { status: 1; failureMessage: string }
);

export type MutantRun =
  | { status: 'killed'; killedBy: string[]; failureMessage: string; nrOfTests: number }
  | { status: 'survived'; nrOfTests: number }
  | { status: 'timeout'; reason: string };

/** The part of StrykerJS that `npm run mutate` uses. */
interface Stryker {
  Stryker: new (options: Record<string, unknown>) => { runMutationTest(): Promise<MutantResult[]> };
}

/** Installs StrykerJS, unless it has been installed. */
export async function loadStryker(): Promise<Stryker> {
  const packages = [`@stryker-mutator/core@${VERSION}`];
  const file = '@stryker-mutator/core/dist/src/index.js';
  return (await importOnDemand({ folder: 'stryker', packages, file })) as Stryker;
}
