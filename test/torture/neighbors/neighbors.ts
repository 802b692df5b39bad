import { type Figure, holds } from '../../../bench/measuring/figures.ts';
import { choose } from '../../../bench/measuring/report.ts';
import type { Owner } from '../../support/process.ts';
import type { Extent, Scenario } from '../scenario.ts';
import { cases } from './cases/cases.ts';
import { engineNames, filledDatabase } from './database.ts';
import { fullSizes, shortSizes } from './merchants.ts';
import { Stage } from './stage.ts';
import type { Case } from './world.ts';

/**
 * In the short form, other tests share the cores, and a machine may stand still for a second: what a neighbor does to
 * another is there each time.
 */
const SHORT_PLAYS = 3;

/** A hostile merchant does one thing after the other, and a quiet one works beside it, in the same process. */
export const neighbors: Scenario = {
  promise:
    'whatever a merchant does, another one’s p99 is at most 3 times its p99 alone plus 20 ms, all of its requests are served, and nothing blocks the event loop for more than 20 ms',
  run: async (_t, extent) => {
    const figures: Figure[] = [];
    const engines = choose(
      'engine',
      extent.engines ?? [],
      Object.fromEntries(engineNames.map((name) => [name, 0])),
    );
    for (const engine of engineNames.filter((name) => engines.includes(name))) {
      await using owned = new AsyncDisposableStack();
      const owner = { after: (end: () => unknown) => owned.defer(async () => void (await end())) };
      figures.push(...(await runOn(engine, owner, extent)));
    }
    return figures;
  },
};

async function runOn(engine: (typeof engineNames)[number], t: Owner, extent: Extent): Promise<Figure[]> {
  const chosen = choose('case', extent.only ?? [], Object.fromEntries(cases.map(({ name }) => [name, 0])));
  const sizes = extent.full ? fullSizes : shortSizes;
  const settings = await filledDatabase(t, engine, sizes);
  const stage = new Stage(t, { engine, settings, sizes, extent });
  const figures: Figure[] = [];
  for (const one of cases) {
    if (!chosen.includes(one.name)) continue;
    if (!extent.full && !one.short && extent.only === undefined) continue;
    figures.push(...(await playUntilItHolds(stage, one, extent.full ? 1 : SHORT_PLAYS)));
  }
  await stage.end();
  return figures;
}

/** The figures of a case that holds, or of its last play. */
async function playUntilItHolds(stage: Stage, one: Case, plays: number): Promise<Figure[]> {
  const figures = await stage.play(one);
  return plays === 1 || figures.every(holds) ? figures : await playUntilItHolds(stage, one, plays - 1);
}
