import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BudgetExceeded, defaultBudgets } from '../../src/budgets/budgets.ts';
import { recordBudgetUse, requireBudgetLeft, takeFromBudget } from '../../src/budgets/daily-budget.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const budget = 'imports_per_day';
const budgets = { ...defaultBudgets, [budget]: 3 };

forEachEngine((engine) => {
  const opened = useDatabase(engine);
  const take = ({ id }: { id: number }, amount?: number): Promise<void> =>
    opened().database.transaction((connection) =>
      takeFromBudget({ connection, merchantId: id, now: opened().now() }, budgets, {
        budget,
        ...(amount && { amount }),
      }),
    );

  it('rejects what would exceed the limit without counting it, and resets the next day', async () => {
    const merchant = await opened().newMerchant();
    await take(merchant, 2);
    await assert.rejects(take(merchant, 2), BudgetExceeded);
    await take(merchant);
    await assert.rejects(take(merchant), (error: BudgetExceeded) => {
      assert.equal(error.message, 'Budget imports_per_day exceeded: at most 3 files uploaded per day (UTC).');
      // It is noon.
      assert.equal(error.retryAfterSeconds, 12 * 60 * 60);
      return true;
    });
    opened().passTime(12 * 60 * 60 * 1000);
    await take(merchant, 3);
  });

  it('counts each merchant separately', async () => {
    const [one, other] = [await opened().newMerchant(), await opened().newMerchant()];
    await take(one, 3);
    await take(other, 3);
  });

  it('rejects requests once recorded use exceeds the budget', async () => {
    const { id: merchantId } = await opened().newMerchant();
    const { database, now } = opened();
    const requireLeft = (): Promise<void> =>
      requireBudgetLeft(database, budgets, { merchantId, budget }, now());
    const record = (amount: number): Promise<void> =>
      database.transaction((connection) =>
        recordBudgetUse({ connection, merchantId, now: now() }, { budget, amount }),
      );
    await record(2);
    await requireLeft();
    await record(7);
    await assert.rejects(requireLeft(), BudgetExceeded);
  });
});
