import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';
import { inviteUser } from '../support/users.ts';

forEachEngine((engine) => {
  const opened = useDatabase(engine);

  it('rejects more users of a merchant than its budget, and says how to raise it', async () => {
    const budgets = { ...defaultBudgets, users: 2 };
    const { id: merchantId } = await opened().newMerchant();
    const invite = (email: string) => inviteUser(opened(), { merchantId, email, name: 'User' }, budgets);
    const invited = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => invite(`${name}-${engine.name}@example.com`)),
    );
    const rejected = invited.filter((result) => result.status === 'rejected');
    assert.deepEqual(
      rejected.map(({ reason }) => reason.message),
      [
        'Budget users exceeded: at most 2 console users. Remove a user first, or raise the limit with the setting ' +
          'BUDGETS, for example BUDGETS=users=4.',
      ],
    );
    const known = ['a', 'b', 'c'][invited.findIndex(({ status }) => status === 'fulfilled')];
    assert.equal((await invite(`${known}-${engine.name}@example.com`)).isNew, false);
  });
});
