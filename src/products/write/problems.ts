import type { Problem } from '../../files/parsed.ts';
import type { ParameterProblem } from '../../http/responses/errors.ts';

/** Returns the first problem of each parameter. */
export function parameterProblems(problems: readonly Problem[]): ParameterProblem[] {
  const reasons = new Map<string, string>();
  for (const { column, entry, reason } of problems) {
    const name = entry === undefined ? column : `${column}[${entry}]`;
    if (!reasons.has(name)) reasons.set(name, reason);
  }
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}
