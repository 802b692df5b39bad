import { killRepeatedly } from '../../support/kill-rounds.ts';
import { figure, type Scenario } from '../scenario.ts';
import { createTestData, TOKEN } from '../test-data.ts';
import { checkIntegrity } from './integrity.ts';

export const kills: Scenario = {
  promise: 'SIGKILL at any moment loses no acknowledged write and does not corrupt the database file',
  run: async (t, { full }) => {
    const rounds = full ? 200 : 3;
    const { settings, merchant } = await createTestData(t, 500);
    const ledger = await killRepeatedly(t, settings, { ...merchant, token: TOKEN }, rounds, () =>
      checkIntegrity(settings),
    );
    return [
      figure('kills', rounds, null),
      figure('campaigns acknowledged, all of them stored', ledger.acknowledged.size, { atLeast: rounds }),
    ];
  },
};
