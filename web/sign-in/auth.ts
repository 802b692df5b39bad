import { request } from '../server/request.ts';

/**
 * Sign-in, passwords and the second factor. The server hands these on to better-auth and answers in the
 * words of the console, so that better-auth's own client would add nothing but weight.
 */
export interface AuthAnswer {
  /** Sign-in goes on with a code. */
  twoFactorRedirect?: boolean;
  totpURI?: string;
  backupCodes?: string[];
}

/** For visitors: a refusal is about what they typed, not about a session that has ended. */
export function asVisitor(path: string, body: Record<string, string> = {}): Promise<AuthAnswer> {
  return request<AuthAnswer>(`auth/${path}`, { method: 'POST', body, needsSession: false });
}

/** For those who are signed in. */
export function asUser(path: string, body: Record<string, string> = {}): Promise<AuthAnswer> {
  return request<AuthAnswer>(`auth/${path}`, { method: 'POST', body });
}
