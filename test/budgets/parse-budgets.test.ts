import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { budgetDefinitions, defaultBudgets } from '../../src/budgets/budgets.ts';
import { parseBudgets } from '../../src/budgets/parse-budgets.ts';
import { parseConfig, SettingError } from '../../src/config.ts';

it('changes only the budgets that are named', () => {
  assert.deepEqual(parseBudgets(''), defaultBudgets);
  assert.deepEqual(parseBudgets('keys=7, campaigns_per_day=off,'), {
    ...defaultBudgets,
    keys: 7,
    campaigns_per_day: null,
  });
});

it('names the invalid budget in the error', () => {
  for (const wrong of ['keys', 'keys=0', 'keys=-1', 'keys=1.5', 'toString=3', 'kees=3', 'keys=3;users=4']) {
    assert.throws(
      () => parseConfig({ BUDGETS: wrong }),
      (error) => {
        assert.ok(error instanceof SettingError);
        assert.match(
          error.message,
          /^BUDGETS: ".+" is not a budget and its limit: expected for example keys=200/,
        );
        return true;
      },
    );
  }
});

it('the settings reference lists every budget with its default', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/settings.md'), 'utf8');
  const listed = [...page.matchAll(/^- `(\w+)` \((\d+)\)/gm)].map(([, name, limit]) => [name, Number(limit)]);
  assert.deepEqual(
    listed,
    Object.entries(budgetDefinitions).map(([name, { limit }]) => [name, limit]),
  );
});
