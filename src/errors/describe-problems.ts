import type { Problem } from './domain-error.ts';

/** The maximum number of problems in a message. No call has as many fields that are not nested. */
export const MAX_PROBLEMS = 100;

/** Long enough for the field of a variation, with its SKU. */
const MAX_NAME_LENGTH = 300;

/** Returns a message that names the field of each problem. */
export function describeProblems(problems: readonly Problem[]): string {
  const sentences = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, reason }) => `${beginning(field)}: ${reason}.`);
  return [...sentences, ...(problems.length > sentences.length ? ['There are more.'] : [])].join(' ');
}

/** Shortens a name, which is a whole file if a file is sent as a form. */
export function beginning(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
}
