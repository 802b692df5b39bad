import { type Figure, holds } from '../../../bench/measuring/figures.ts';
import { choose } from '../../../bench/measuring/report.ts';
import type { Owner } from '../../support/process.ts';
import { type EngineName, onEachEngine } from '../engines.ts';
import type { Extent, Scenario } from '../scenario.ts';
import type { Case } from './case.ts';
import { CaseRunner } from './case-runner.ts';
import { cases } from './cases/cases.ts';
import { filledDatabase } from './database.ts';
import { fullSizes, shortSizes } from './merchants.ts';

/**
 * In short runs: a machine may stall for seconds, but a real effect of a neighbor occurs every time. Each
 * attempt has its own server, because the last one may still be busy with the attack.
 */
const SHORT_ATTEMPTS = 3;

export const neighbors: Scenario = {
  promise:
    'next to any hostile merchant, another merchant’s p99 is at most 3 times its p99 alone plus 20 ms, all its requests are served, and nothing blocks the event loop for more than 20 ms',
  run: (_t, extent) => onEachEngine(extent, (engine, t) => runOn(engine, t, extent)),
};

async function runOn(engine: EngineName, t: Owner, extent: Extent): Promise<Figure[]> {
  const chosen = choose('case', extent.only ?? [], Object.fromEntries(cases.map(({ name }) => [name, 0])));
  const sizes = extent.full ? fullSizes : shortSizes;
  const settings = await filledDatabase(t, engine, sizes);
  const runner = new CaseRunner(t, { engine, settings, sizes, extent });
  const figures: Figure[] = [];
  for (const one of cases) {
    if (!chosen.includes(one.name)) continue;
    if (!extent.full && !one.short && extent.only === undefined) continue;
    figures.push(...(await runUntilItHolds(runner, one, extent.full ? 1 : SHORT_ATTEMPTS)));
  }
  await runner.end();
  return figures;
}

/** Resolves to the figures of the last attempt. */
async function runUntilItHolds(runner: CaseRunner, one: Case, attempts: number): Promise<Figure[]> {
  const figures = await runner.run(one);
  if (attempts === 1 || figures.every(holds)) return figures;
  await runner.end();
  return await runUntilItHolds(runner, one, attempts - 1);
}
