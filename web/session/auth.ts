import { post } from '../server/request.ts';

/**
 * The response of sign-in, password and two-factor calls. The server forwards them to better-auth and
 * replaces its error messages, so better-auth's own client would only add weight.
 */
export interface AuthResponse {
  /** Sign-in needs a code as well. */
  twoFactorRedirect?: boolean;
  totpURI?: string;
  backupCodes?: string[];
}

/** Sends a call that needs no session. A 401 means wrong credentials, not an expired session. */
export function publicAuthRequest(path: string, body: Record<string, string> = {}): Promise<AuthResponse> {
  return post<AuthResponse>(`auth/${path}`, body, { needsSession: false });
}

/** Sends a call as the signed-in user. */
export function authRequest(path: string, body: Record<string, string> = {}): Promise<AuthResponse> {
  return post<AuthResponse>(`auth/${path}`, body);
}
