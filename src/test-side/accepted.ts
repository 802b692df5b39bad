import { errors } from '../errors/errors.ts';
import type { ItemOutcome } from '../files/run-import.ts';

/** @throws {DomainError} `invalid_parameters` if what the operator would send was rejected */
export function acceptedBy(outcomes: readonly ItemOutcome[]): void {
  const problems = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? outcome.problems : []));
  if (problems.length > 0) throw errors.invalid_parameters(problems);
}
