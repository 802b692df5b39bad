import { findCampaignState } from '../campaigns/queries.ts';
import type { Reader } from '../database/database.ts';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import { CHANGED_ORDERS } from '../orders/list/list-changes.ts';
import { findOrderCounters } from '../orders/record/queries.ts';
import { placementChanges } from '../placements/list/list-placements.ts';
import { AFTER_ALL_IDS, CHANGED_PRODUCTS } from '../products/changes/list-changes.ts';
import { CHANGED_SCHEDULES } from '../sales/list-schedules.ts';
import type { LineList } from '../shared/figure.ts';
import { encodeChangesCursor } from '../sync/changes-cursor.ts';

/** After every ID that is a text. */
const AFTER_ALL_TEXTS = '\u{10FFFF}';

interface ChangesOfLines {
  /** The name of the list of changes in cursors. */
  listing: string;
  afterAll: string | number;
  findRevision(reader: Reader, merchantId: number, ofCatalog: number): Promise<number>;
}

const ofCatalog: ChangesOfLines['findRevision'] = async (_reader, _merchantId, revision) => revision;

const changes: Readonly<Record<LineList, ChangesOfLines>> = {
  schedules: { listing: CHANGED_SCHEDULES, afterAll: AFTER_ALL_TEXTS, findRevision: ofCatalog },
  products: { listing: CHANGED_PRODUCTS, afterAll: AFTER_ALL_IDS, findRevision: ofCatalog },
  placements: {
    listing: placementChanges.listing,
    afterAll: AFTER_ALL_TEXTS,
    findRevision: async (reader, merchantId) =>
      (await reader.first(findCampaignState, { merchantId }))?.revision ?? 0,
  },
  orders: {
    listing: CHANGED_ORDERS,
    afterAll: AFTER_ALL_IDS,
    findRevision: async (reader, merchantId) =>
      (await reader.first(findOrderCounters, { merchantId }))?.revision ?? 0,
  },
};

/** Returns the cursor for `changed_since` with which the list of changes begins after the reader's state. */
export async function revisionOfLines(reader: Reader, merchantId: number, list: LineList): Promise<string> {
  const state = await reader.first(findCatalogState, { merchantId });
  if (state === undefined) throw missingMerchant(merchantId);
  const { listing, afterAll, findRevision } = changes[list];
  const revision = await findRevision(reader, merchantId, state.revision);
  return encodeChangesCursor({ merchantId, listing }, state.epoch, { revision, key: afterAll });
}
