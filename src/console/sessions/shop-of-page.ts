import { type Mode, testSideOf } from '../../database/sides.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { consoleErrors } from '../errors.ts';
import { SHOP_HEADER, SHOP_PARAMETER } from './shop-header.ts';

/** A caller of the console, or an operator. */
interface InShop {
  merchantId: number;
  merchant?: { name: string };
}

/**
 * Keeps a page from showing or changing another shop than it was loaded for, because the user has switched in
 * another tab. Requests that name no merchant are for the merchant of the session. Returns the side that the
 * page shows: pages in test data name the test side.
 * @throws {DomainError} `other_shop`
 */
export function requireShopOfPage({ request, reply }: Exchange, { merchantId, merchant }: InShop): Mode {
  const stated = request.headers[SHOP_HEADER] ?? shopInQuery(request.url);
  if (stated === undefined || stated === String(merchantId)) return 'live';
  if (merchantId > 0 && stated === String(testSideOf(merchantId))) return 'test';
  reply.raw.setHeader(SHOP_HEADER, String(merchantId));
  throw consoleErrors.other_shop(merchant?.name ?? 'another shop');
}

function shopInQuery(url: string): string | undefined {
  const start = url.indexOf('?');
  return start < 0 ? undefined : (new URLSearchParams(url.slice(start)).get(SHOP_PARAMETER) ?? undefined);
}
