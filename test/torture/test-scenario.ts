import assert from 'node:assert/strict';
import { it } from 'node:test';
import { holds } from '../../bench/measuring/figures.ts';
import { seed } from '../support/seed.ts';
import type { Scenario } from './scenario.ts';

export function testScenario({ promise, skipReason, run }: Scenario): void {
  const reason = skipReason?.() ?? null;
  it(promise, { skip: reason ?? false }, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const figures = await run(t, { full: false, seed, minutes: undefined, requests: undefined });
    for (const { name, median, notes } of figures) t.diagnostic(`${name}: ${median.toPrecision(3)} ${notes}`);
    for (const figure of figures) {
      const { name, median, bound } = figure;
      assert.ok(holds(figure), `${name} is ${median}: expected ${JSON.stringify(bound)}`);
    }
  });
}
