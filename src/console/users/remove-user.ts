import { describeUser, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import type { Connection } from '../../database/database.ts';
import { findUser, UserRefused } from './add-user.ts';
import {
  deletePasswordOfUser,
  deleteSessionsOfUser,
  deleteTwoFactorOfUser,
  deleteUser,
  deleteVerificationsOfUser,
} from './queries.ts';

/**
 * Takes the console from a merchant's user, in a transaction under way: sessions end with it, links to set a
 * password are void, the address is free again. What they made, and the record of it, stays.
 * Gives the address.
 * @throws {UserRefused} where the merchant has no user with that address
 */
export async function removeUser(
  connection: Connection,
  { merchantId, email }: { merchantId: number; email: string },
  now: number,
): Promise<string> {
  const user = await findUser(connection, email);
  if (user === undefined || user.merchant_id !== merchantId) {
    throw new UserRefused('email', `The merchant has no user with the address ${email}.`);
  }
  const parts = [
    deleteSessionsOfUser,
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteVerificationsOfUser,
    deleteUser,
  ];
  for (const part of parts) await connection.run(part, { userId: user.id });
  const entry = { merchantId, who: OPERATOR, subject: describeUser(user) };
  await recordAudit(connection, { ...entry, action: 'user.removed' }, now);
  return user.email;
}
