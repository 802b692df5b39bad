import { Store } from './store.ts';

/** Whether the session has expired while a page is open. The page then shows a sign-in dialog. */
export const sessionExpired = new Store(false);

let pending: { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } | undefined;

/** Resolves when the user has signed in again; all requests that failed with 401 share one promise. */
export function waitForSignIn(): Promise<void> {
  pending ??= Promise.withResolvers<void>();
  sessionExpired.set(true);
  return pending.promise;
}

/** Lets the waiting requests continue after a new sign-in. */
export function resumeRequests(): void {
  pending?.resolve();
  pending = undefined;
  sessionExpired.set(false);
}

/** Rejects the waiting requests because the user left for the sign-in page. */
export function abandonRequests(): void {
  pending?.reject(new Error('You are signed out.'));
  pending = undefined;
  sessionExpired.set(false);
}
