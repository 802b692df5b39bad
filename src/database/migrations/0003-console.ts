import type { Dialect } from '../database.ts';

/**
 * Creates the console's tables. Users and sessions are looked up before the merchant is known, so these tables are
 * global like `access_tokens`. The audit log belongs to merchants.
 */
export function consoleTables({ integer, text, bytes, compact }: Dialect): string[] {
  return [
    `CREATE TABLE console_users (
      id ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL,
      name ${text} NOT NULL,
      email ${text} NOT NULL UNIQUE,
      two_factor ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,
    `CREATE TABLE console_sessions (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL,
      token_hash ${text} NOT NULL UNIQUE,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,
    'CREATE INDEX console_sessions_by_user ON console_sessions (user_id)',
    // One per user, with the password. There are no other identity providers.
    `CREATE TABLE console_accounts (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL UNIQUE,
      provider ${text} NOT NULL,
      account_id ${text} NOT NULL,
      password_hash ${text},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,
    `CREATE TABLE console_verifications (
      id ${text} NOT NULL PRIMARY KEY,
      identifier_hash ${text} NOT NULL,
      value ${text} NOT NULL,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,
    'CREATE INDEX console_verifications_by_identifier ON console_verifications (identifier_hash)',
    'CREATE INDEX console_verifications_by_value ON console_verifications (value)',
    `CREATE TABLE console_two_factors (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL UNIQUE,
      secret ${text} NOT NULL,
      backup_codes ${text} NOT NULL,
      verified ${integer} NOT NULL,
      failed_attempts ${integer},
      locked_until ${integer}
    ) ${compact}`,
    // A name is the hash of the limited subject, so that IP and email addresses are not stored.
    `CREATE TABLE console_rate_limits (
      name ${bytes} NOT NULL PRIMARY KEY,
      attempts ${integer} NOT NULL,
      resets_at ${integer} NOT NULL
    ) ${compact}`,
    `CREATE TABLE console_secrets (
      version ${integer} NOT NULL PRIMARY KEY,
      value ${text} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${compact}`,
    // Ids sort by time.
    `CREATE TABLE audit_entries (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      who ${text} NOT NULL,
      action ${text} NOT NULL,
      subject ${text},
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
  ];
}
