import { MAX_PROBLEMS, MAX_UNRECOGNIZED_NAMES } from '../request-limits.ts';
import type { ParameterProblem } from '../responses/errors.ts';

/** Keeps one more of each kind than a message lists, so that the message says that there are more. */
export class Findings {
  readonly unrecognized: string[] = [];
  readonly problems: ParameterProblem[];

  constructor(problems: readonly ParameterProblem[] = []) {
    this.problems = [...problems];
  }

  get hasTooManyNames(): boolean {
    return this.unrecognized.length > MAX_UNRECOGNIZED_NAMES;
  }

  /** Whether there is more than a message lists, so that the rest is not examined. */
  get hasTooMany(): boolean {
    return this.problems.length > MAX_PROBLEMS || this.hasTooManyNames;
  }

  addProblem(problem: ParameterProblem): void {
    if (this.problems.length <= MAX_PROBLEMS) this.problems.push(problem);
  }

  addUnrecognized(name: string): void {
    if (!this.hasTooManyNames) this.unrecognized.push(name);
  }
}
