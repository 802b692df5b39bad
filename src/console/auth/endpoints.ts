import { type Limit, limits } from '../attempts/limit-attempts.ts';

/** What the console uses of better-auth; there is no way to anything else of it. */
export interface AuthPath {
  path: `/${string}`;
  /** What the body has to have, each text; nothing else of it is handed on. */
  fields: readonly string[];
  /** Handed on beside the fields. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Whether it is for those who are signed in. */
  session: boolean;
  /** Whether it may be called without two-factor authentication where that is required. */
  setsUpTwoFactor?: true;
  byNetwork?: Limit;
  /** Counted for whoever is signed in, or for the address in the field `email`. */
  byAccount?: Limit;
}

const { signInByNetwork, signInByAccount, codeByNetwork, linkByNetwork, passwordByAccount } = limits;

export const authPaths: readonly AuthPath[] = [
  {
    path: '/sign-in/email',
    fields: ['email', 'password'],
    session: false,
    byNetwork: signInByNetwork,
    byAccount: signInByAccount,
  },
  { path: '/sign-out', fields: [], session: false },
  { path: '/revoke-sessions', fields: [], session: true },
  {
    path: '/change-password',
    fields: ['currentPassword', 'newPassword'],
    fixed: { revokeOtherSessions: true },
    session: true,
    byAccount: passwordByAccount,
  },
  { path: '/reset-password', fields: ['token', 'newPassword'], session: false, byNetwork: linkByNetwork },
  { path: '/two-factor/verify-totp', fields: ['code'], session: false, byNetwork: codeByNetwork },
  { path: '/two-factor/verify-backup-code', fields: ['code'], session: false, byNetwork: codeByNetwork },
  ...(['/two-factor/enable', '/two-factor/disable', '/two-factor/generate-backup-codes'] as const).map(
    (path): AuthPath => ({
      path,
      fields: ['password'],
      session: true,
      byAccount: passwordByAccount,
      ...(path === '/two-factor/enable' && { setsUpTwoFactor: true }),
    }),
  ),
];
