import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Checker, Mutant } from './stryker.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Names the share of mutants that are tested, from 0 to 1. */
export const SHARE = 'MUTATION_SHARE';

/** Stryker reports mutants outside the sample as compile errors, which no score includes. */
export const NOT_SAMPLED = 'not in the sample';

/** What a mutant replaces. Lines and columns start at 0. */
function originalText({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n');
}

/** Empties a text with spaces: a message, documentation or SQL. Values and names have none. */
function isProse(mutant: Mutant): boolean {
  return mutant.mutatorName === 'StringLiteral' && /\s/.test(originalText(mutant));
}

/** Draws a number from 0 to 1, which depends on the seed and the mutant alone. */
function drawNumber(seed: string, { fileName, location, mutatorName, replacement }: Mutant): number {
  const identity = JSON.stringify([seed, relative(ROOT, fileName), location, mutatorName, replacement]);
  return createHash('sha256').update(identity).digest().readUInt32BE() / 2 ** 32;
}

const sampleChecker: Checker = {
  init: async () => {},
  group: async (mutants) => [mutants.map(({ id }) => id)],
  check: async (mutants) => {
    const { SEED = '', [SHARE]: share } = process.env;
    const isSampled = (mutant: Mutant): boolean =>
      !isProse(mutant) && drawNumber(SEED, mutant) < Number(share);
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isSampled(mutant) ? { status: 'passed' } : { status: 'compileError', reason: NOT_SAMPLED },
      ]),
    );
  },
};

/** Loaded by Stryker. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', value: sampleChecker }];
