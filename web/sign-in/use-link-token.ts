import { useLocation } from '@tanstack/react-router';

/** Returns the token in the fragment of the address, which browsers send to nobody; empty without one. */
export function useLinkToken(): string {
  return linkTokenIn(useLocation().hash);
}

/** As `useLinkToken`, of a fragment. */
export function linkTokenIn(hash: string): string {
  return new URLSearchParams(hash).get('token') ?? '';
}

const KEPT = 'link-token';

/** Keeps a token for `useKeptLinkToken` while the tab is on pages of others. */
export function keepLinkToken(token: string): void {
  sessionStorage.setItem(KEPT, token);
}

/** As `useLinkToken`, or else the token that this tab has kept. */
export function useKeptLinkToken(): string {
  return useLinkToken() || (sessionStorage.getItem(KEPT) ?? '');
}
