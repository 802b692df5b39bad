import { operatorUser } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { findOpenView } from '../../operators/support-views/queries.ts';
import { hashSecret } from '../../users/link-token.ts';
import { consoleErrors } from '../errors.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';

/** The cookie of a support view. It stays when the view has ended, so that no page changes its merchant. */
export const SUPPORT_COOKIE = '__Host-tradepost-support';

/**
 * Finds the operator whose support view has this token. All callers of the console and of v1 with a session
 * come from here or from a session of the merchant, so this is where a view cannot write. Its role hides what
 * viewers may not do or see, also from the pages. Its user has the ID of the view, and no rows.
 * @throws {DomainError} `support_view_ended`; `support_view_is_read_only` for methods that write
 */
export async function findSupportCaller(
  { database, now }: { database: Pick<Database, 'first'>; now: () => number },
  token: string,
  method: string,
): Promise<ConsoleCaller> {
  const view = await database.first(findOpenView, { secretHash: hashSecret(token), now: now() });
  const merchant = view && (await database.first(findMerchantById, { merchantId: view.merchant_id }));
  if (view === undefined || merchant === undefined) throw consoleErrors.support_view_ended();
  if (method !== 'GET' && method !== 'HEAD') throw consoleErrors.support_view_is_read_only();
  const { id, name, email, merchant_id: merchantId, expires_at: endsAt } = view;
  return {
    merchantId,
    who: operatorUser({ name, email }),
    sessionId: id,
    byProvider: false,
    byPasskey: false,
    user: { id, name, email, two_factor: true, role: 'viewer' },
    merchant,
    twoFactorRequiredBy: null,
    supportView: { endsAt },
  };
}
