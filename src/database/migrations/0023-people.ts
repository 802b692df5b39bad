import type { Dialect } from '../database.ts';

/**
 * Gives console users a role, where existing ones become owners, the time of their last sign-in, and the kinds of mail that
 * they do not want. A merchant can require two-factor authentication of its users.
 */
export function people({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE console_users ADD COLUMN role ${text} NOT NULL DEFAULT 'owner'`,
    `ALTER TABLE console_users ADD COLUMN last_sign_in_at ${integer}`,
    // Separated by commas.
    `ALTER TABLE console_users ADD COLUMN muted_mails ${text} NOT NULL DEFAULT ''`,
    'CREATE INDEX console_users_by_merchant ON console_users (merchant_id, email)',
    `ALTER TABLE merchants ADD COLUMN requires_two_factor ${integer} NOT NULL DEFAULT 0`,
  ];
}
