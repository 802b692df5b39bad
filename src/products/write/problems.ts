import type { Problem } from '../../errors/domain-error.ts';

/** Returns the first problem of each parameter. */
export function parameterProblems(problems: readonly Problem[]): Problem[] {
  const reasons = new Map<string, string>();
  for (const { field, entry, reason } of problems) {
    const name = entry === undefined ? field : `${field}[${entry}]`;
    if (!reasons.has(name)) reasons.set(name, reason);
  }
  return [...reasons].map(([field, reason]) => ({ field, reason }));
}
