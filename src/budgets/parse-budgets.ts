import { type BudgetName, type Budgets, budgetNames, defaultBudgets } from './budgets.ts';

/**
 * Reads limits such as `keys=200,categories=off`; other budgets keep their defaults.
 * @throws {RangeError} for an unknown name or a limit that is no positive integer; says what is expected
 */
export function parseBudgets(text: string): Budgets {
  const budgets: Record<BudgetName, number | null> = { ...defaultBudgets };
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [, name = '', value = ''] = /^(\w+)\s*=\s*(\d{1,15}|off)$/.exec(item) ?? [];
    const budget = budgetNames.find((known) => known === name);
    if (budget === undefined || value === '0') {
      throw new RangeError(
        `"${item}" is not a budget and its limit: expected for example keys=200 or keys=off, with one of ${budgetNames.join(', ')}`,
      );
    }
    budgets[budget] = value === 'off' ? null : Number(value);
  }
  return budgets;
}
