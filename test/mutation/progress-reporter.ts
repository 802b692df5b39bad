import { NOT_SAMPLED } from './sample-checker.ts';
import type { MutantResult } from './stryker.ts';
import { describe, isNoticed } from './summary.ts';

const INTERVAL = 20;
let tested = 0;

/** Writes every mutant that no test noticed as soon as it is known, and how many have been tested. */
const progressReporter = {
  onMutantTested: (mutant: MutantResult): void => {
    if (mutant.statusReason === NOT_SAMPLED) return;
    tested += 1;
    if (!isNoticed(mutant)) process.stdout.write(`${describe(mutant)}\n`);
    if (tested % INTERVAL === 0) process.stdout.write(`${tested} mutants tested\n`);
  },
};

/** Loaded by Stryker. */
export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', value: progressReporter }];
