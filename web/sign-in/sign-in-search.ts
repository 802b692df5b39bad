import type { SignInProblem } from '../../src/console/console-api.ts';
import type { SearchParameters } from '../server/search-params.ts';

/** What went wrong with a sign-in by an identity provider, after its name. */
export const problemTexts: Readonly<Record<SignInProblem, (provider: string) => string>> = {
  unreachable: (provider) => `${provider} can’t be reached. Try again later.`,
  denied: () => 'You canceled the sign-in.',
  expired: () => 'This sign-in took too long, or was continued in another window. Try again.',
  rejected: (provider) =>
    `The response of ${provider} can’t be trusted. Try again, or tell your administrator.`,
  misconfigured: (provider) => `${provider} didn’t accept this service. Tell your administrator.`,
  no_access: (provider) => `${provider} knows you, but you have no access here. Ask for an invitation.`,
  email_unverified: (provider) => `${provider} hasn’t verified your email. Verify it there, and try again.`,
  email_taken: (provider) =>
    `The user with your email signs in with another account at ${provider}. Use that account, or ask your administrator.`,
  other_merchant: (provider) => `According to ${provider}, you belong to another shop.`,
  too_many_users: () => 'The shop has too many users. Ask an owner to remove one.',
  too_many_attempts: () => 'Too many attempts. Try again in a minute.',
};

export interface SignInSearch {
  /** The page to return to, below the application's first page. */
  next?: string | undefined;
  /** Why a sign-in by the identity provider failed. */
  problem?: SignInProblem | undefined;
  /** Set to show the form although passwords are off, for the accounts whose password works nevertheless. */
  by?: 'password' | undefined;
}

function isProblem(value: unknown): value is SignInProblem {
  return typeof value === 'string' && Object.hasOwn(problemTexts, value);
}

/** Accepts only paths within the application: `//host` would lead to another site. */
export function signInSearch({ next, problem, by }: SearchParameters): SignInSearch {
  return {
    next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined,
    problem: isProblem(problem) ? problem : undefined,
    by: by === 'password' ? by : undefined,
  };
}
