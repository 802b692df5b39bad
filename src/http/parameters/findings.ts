import { MAX_PROBLEMS } from '../../errors/describe-problems.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { MAX_UNRECOGNIZED_NAMES } from '../request-limits.ts';

/** Keeps one more of each kind than a message lists, so that the message says that there are more. */
export class Findings {
  readonly unrecognized: string[] = [];
  readonly problems: Problem[];

  constructor(problems: readonly Problem[] = []) {
    this.problems = [...problems];
  }

  get hasTooManyNames(): boolean {
    return this.unrecognized.length > MAX_UNRECOGNIZED_NAMES;
  }

  /** Whether there is more than a message lists, so that the rest is not examined. */
  get hasTooMany(): boolean {
    return this.problems.length > MAX_PROBLEMS || this.hasTooManyNames;
  }

  addProblem(problem: Problem): void {
    if (this.problems.length <= MAX_PROBLEMS) this.problems.push(problem);
  }

  addUnrecognized(name: string): void {
    if (!this.hasTooManyNames) this.unrecognized.push(name);
  }
}
