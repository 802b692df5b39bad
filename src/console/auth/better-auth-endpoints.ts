import { type Limit, limits } from '../attempts/limit-attempts.ts';

/** What forms say of blank fields. */
export const prompts = {
  email: 'Enter your email.',
  password: 'Enter your password.',
  currentPassword: 'Enter your current password.',
  newPassword: 'Enter a new password.',
  code: 'Enter the code.',
  token: 'This link is incomplete. Open it again from the email.',
} as const;

/** An endpoint of better-auth that the console uses. All others are unreachable. */
export interface AuthEndpoint {
  path: `/${string}`;
  /** Required text fields of the body. Other fields are dropped. */
  fields: readonly (keyof typeof prompts)[];
  fixed?: Readonly<Record<string, unknown>>;
  session: boolean;
  /** Set if users who must set up two-factor authentication can call it. */
  setsUpTwoFactor?: true;
  byNetwork?: Limit;
  /** Counts for the signed-in user, or for the body's `email`. */
  byAccount?: Limit;
}

const { signInByNetwork, signInByAccount, codeByNetwork, linkByNetwork, passwordByAccount } = limits;

export const betterAuthEndpoints: readonly AuthEndpoint[] = [
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
    (path): AuthEndpoint => ({
      path,
      fields: ['password'],
      session: true,
      byAccount: passwordByAccount,
      ...(path === '/two-factor/enable' && { setsUpTwoFactor: true }),
    }),
  ),
];
