import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Names the directory where every process writes which mutants it reached, when it exits. */
const COVERAGE_DIRECTORY = 'MUTATION_COVERAGE';

interface Instrumented {
  __stryker__?: { mutantCoverage?: { static: Record<string, number> } };
}

const directory = process.env[COVERAGE_DIRECTORY];
if (directory !== undefined) {
  process.once('exit', () => {
    const reached = (globalThis as Instrumented).__stryker__?.mutantCoverage?.static ?? {};
    writeFileSync(join(directory, `${process.pid}-${threadId}.json`), JSON.stringify(reached));
  });
}
