/** The table of a better-auth model. */
export interface ModelTable {
  table: string;
  /** Columns by field. Statements use no other names. */
  columns: Readonly<Record<string, string>>;
  /** The field that is stored as a hash. Reading a row returns its value only if the query contains it. */
  hashed?: string;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Other fields, such as IP addresses and other providers' profiles, are not stored. */
export const modelTables: Readonly<Record<string, ModelTable>> = {
  user: {
    table: 'console_users',
    columns: {
      id: 'id',
      merchantId: 'merchant_id',
      name: 'name',
      email: 'email',
      twoFactorEnabled: 'two_factor',
      role: 'role',
      ...times,
    },
  },
  session: {
    table: 'console_sessions',
    columns: {
      id: 'id',
      userId: 'user_id',
      token: 'token_hash',
      expiresAt: 'expires_at',
      userAgent: 'user_agent',
      ...times,
    },
    hashed: 'token',
  },
  account: {
    table: 'console_accounts',
    columns: {
      id: 'id',
      userId: 'user_id',
      providerId: 'provider',
      accountId: 'account_id',
      password: 'password_hash',
      ...times,
    },
  },
  verification: {
    table: 'console_verifications',
    columns: {
      id: 'id',
      identifier: 'identifier_hash',
      value: 'value',
      expiresAt: 'expires_at',
      ...times,
    },
  },
  twoFactor: {
    table: 'console_two_factors',
    columns: {
      id: 'id',
      userId: 'user_id',
      secret: 'secret',
      backupCodes: 'backup_codes',
      verified: 'verified',
      failedVerificationCount: 'failed_attempts',
      lockedUntil: 'locked_until',
    },
  },
};
