/** Where a model of better-auth is kept: which of its fields, and in which columns. */
export interface ModelTable {
  table: string;
  /** By field; every statement is made of these names and no others. */
  columns: Readonly<Record<string, string>>;
  /** The field that is kept as its hash, and known only to whoever asks with it. */
  hashed?: string;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Fields that are not here are not kept: where a person signs in from, what others know of them. */
export const modelTables: Readonly<Record<string, ModelTable>> = {
  user: {
    table: 'console_users',
    columns: {
      id: 'id',
      merchantId: 'merchant_id',
      name: 'name',
      email: 'email',
      twoFactorEnabled: 'two_factor',
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
