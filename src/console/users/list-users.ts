import type { Database } from '../../database/database.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listUsersOfMerchant } from './queries.ts';

/** A console user, without secrets. Times are RFC 3339. */
export interface UserSummary {
  email: string;
  name: string;
  /** Whether the user has set a password, which sign-in requires. */
  password: boolean;
  two_factor: boolean;
  created_at: string;
}

/** Lists a merchant's users, ordered by email. */
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
