import { killRepeatedly } from '../../support/kill-rounds.ts';
import { figure, type Scenario } from '../scenario.ts';
import { stock, TOKEN } from '../stock.ts';
import { checkIntegrity } from './integrity.ts';

/** SIGKILL, at any moment under load. */
export const kills: Scenario = {
  promise: 'SIGKILL at any moment loses no acknowledged write and leaves the file whole',
  run: async (t, { full }) => {
    const rounds = full ? 200 : 3;
    const { settings, merchant } = await stock(t, 500);
    const ledger = await killRepeatedly(t, settings, { ...merchant, token: TOKEN }, rounds, () =>
      checkIntegrity(settings),
    );
    return [
      figure('kills', rounds, null),
      figure('campaigns acknowledged, and all of them there', ledger.acknowledged.size, { atLeast: rounds }),
    ];
  },
};
