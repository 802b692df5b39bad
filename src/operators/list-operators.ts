import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { listAllOperators } from './queries.ts';
import type { OperatorRole } from './role.ts';

/** Times are RFC 3339. */
export interface OperatorSummary {
  id: string;
  email: string;
  name: string;
  role: OperatorRole;
  /** Whether the operator has set a password, which sign-in requires. */
  password: boolean;
  two_factor: boolean;
  /** Null before the first sign-in. */
  last_sign_in_at: string | null;
  created_at: string;
}

/** Ordered by email. */
export async function listOperators(reader: Pick<Reader, 'all'>): Promise<OperatorSummary[]> {
  const rows = await reader.all(listAllOperators);
  return rows.map(({ id, email, name, role, has_password, two_factor, last_sign_in_at, created_at }) => ({
    ...{ id, email, name, role },
    password: has_password === 1,
    two_factor: two_factor === 1,
    last_sign_in_at: last_sign_in_at === null ? null : formatTime(last_sign_in_at),
    created_at: formatTime(created_at),
  }));
}
