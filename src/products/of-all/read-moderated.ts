import type { Reader } from '../../database/database.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listDecisionsAbout } from '../moderation/queries.ts';
import { readReasons } from '../record/catalog-events.ts';
import { type Product, parseProduct } from '../record/product.ts';
import type { Moderation } from '../record/product-status.ts';
import { findModerated } from './queries.ts';

/** A decision about a product. */
interface Decision {
  state: Moderation;
  reasons: ModerationReason[];
  /** RFC 3339. */
  at: string;
  who: string;
}

export interface ModeratedProductRecord {
  product: Product;
  moderation: {
    state: Moderation;
    reasons: ModerationReason[];
    /** Since when the state is what it is; null if it is `ok`. RFC 3339. */
    since: string | null;
    /** Since when the product waits for a review; null if it does not. RFC 3339. */
    waits_since: string | null;
    /** The last decisions, newest first. */
    history: Decision[];
  };
}

const MAX_DECISIONS = 20;

/** Returns a product of one side of a merchant with its moderation; undefined if there is none. */
export async function readModerated(
  reader: Pick<Reader, 'all' | 'first'>,
  { merchantId, identifier }: { merchantId: number; identifier: string },
): Promise<ModeratedProductRecord | undefined> {
  const row = await reader.first(findModerated, { merchantId, identifier });
  if (row === undefined) return undefined;
  const about = { merchantId, productId: row.internal_id, limit: MAX_DECISIONS };
  const decisions = await reader.all(listDecisionsAbout, about);
  return {
    product: parseProduct(row.record),
    moderation: {
      state: row.moderation,
      reasons: readReasons(row.moderation_reasons),
      since: row.moderated_at === null ? null : formatTime(row.moderated_at),
      waits_since: row.review_since === null ? null : formatTime(row.review_since),
      history: decisions.map(({ state, reasons, at, who }) => ({
        ...{ state, reasons: readReasons(reasons), at: formatTime(at), who },
      })),
    },
  };
}
