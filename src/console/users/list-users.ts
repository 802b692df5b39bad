import type { Database } from '../../database/database.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listUsersOfMerchant } from './queries.ts';

/** A user of the console, without anything that they sign in with. Times are RFC 3339. */
export interface UserSummary {
  email: string;
  name: string;
  /** Whether a password has been set: without one, nobody signs in. */
  password: boolean;
  two_factor: boolean;
  created_at: string;
}

/** A merchant's users, by their addresses. */
export async function listUsers(
  { database }: { database: Database },
  merchantId: number,
): Promise<UserSummary[]> {
  const rows = await database.all(listUsersOfMerchant, { merchantId });
  return rows.map(({ email, name, has_password, two_factor, created_at }) => ({
    email,
    name,
    password: has_password === 1,
    two_factor: two_factor === 1,
    created_at: formatTime(created_at),
  }));
}
