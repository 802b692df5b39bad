import type { Database } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { type ListedUser, listUsersOfMerchant } from './membership-queries.ts';
import type { Role } from './role.ts';

/** Times are RFC 3339. */
export interface UserSummary {
  email: string;
  name: string;
  role: Role;
  /** Whether the user has accepted the invitation, by setting a password or by signing in. */
  password: boolean;
  two_factor: boolean;
  /** Null before the first sign-in. */
  last_sign_in_at: string | null;
  created_at: string;
}

export async function listUsers(
  { database }: { database: Database },
  merchantId: number,
): Promise<UserSummary[]> {
  const rows = await database.all(listUsersOfMerchant, { merchantId });
  return rows.map(summarizeUser);
}

export function summarizeUser(row: ListedUser): UserSummary {
  const { email, name, role, accepted, two_factor, last_sign_in_at, created_at } = row;
  return {
    email,
    name,
    role,
    password: accepted === 1,
    two_factor: two_factor === 1,
    last_sign_in_at: last_sign_in_at === null ? null : formatTime(last_sign_in_at),
    created_at: formatTime(created_at),
  };
}
