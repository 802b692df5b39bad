import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { enterShop, markShopUsed } from '../../users/membership-queries.ts';
import { consoleErrors } from '../errors.ts';

interface SessionOfUser {
  userId: string;
  sessionId: string;
}

/**
 * Takes a session into the context's merchant, which is the person's next shop after a sign-in, too.
 * @throws {DomainError} `missing` if the shop is not the person's, whether or not it exists
 */
export async function switchShop(context: WriteContext, session: SessionOfUser): Promise<void> {
  const { connection, merchantId, now } = context;
  if ((await connection.run(enterShop, { ...session, merchantId })) === 0)
    throw consoleErrors.missing('This shop doesn’t exist, or you aren’t one of its users.');
  await connection.run(markShopUsed, { userId: session.userId, merchantId, now });
  recordAudit(context, { action: 'user.signed_in', subject: null });
}
