import { Store } from './store.ts';

/** Whether the session has ended under an open page, which then asks to sign in over itself. */
export const sessionEnded = new Store(false);

let waiting: { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } | undefined;

/** Resolves when the merchant has signed in again; all requests that lost their session wait together. */
export function signedInAgain(): Promise<void> {
  waiting ??= Promise.withResolvers<void>();
  sessionEnded.set(true);
  return waiting.promise;
}

/** To be called when the dialog over the page is done with. */
export function sessionIsBack(): void {
  waiting?.resolve();
  waiting = undefined;
  sessionEnded.set(false);
}

export function sessionGivenUp(): void {
  waiting?.reject(new Error('You are signed out.'));
  waiting = undefined;
  sessionEnded.set(false);
}
