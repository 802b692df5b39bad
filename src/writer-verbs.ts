import { setCampaignStatusOnce, updateCampaignOnce } from './campaigns/change-campaign.ts';
import { createCampaignOnce } from './campaigns/create-campaign.ts';
import type { ThreadVerbs } from './database/sqlite/writer-server.ts';
import { changeOrdersOnce } from './orders/change/change-batch.ts';
import { changeOrderGroup } from './orders/change/grouped-order-calls.ts';
import { reserveGroup } from './placements/reserve/reserve-group.ts';
import { createProduct, setProductState, updateProduct } from './products/write/products.ts';
import { writeBatchOnce } from './products/write/write-batch.ts';
import { changeRecords, type RecordChanges } from './products/write/write-records.ts';
import { createVariation, setVariationState, updateVariation } from './variations/write-variation.ts';

/** The calls that change one product or variation. */
const changes: RecordChanges = {
  createProduct,
  updateProduct,
  setProductState,
  createVariation,
  updateVariation,
  setVariationState,
};

/** What `GroupedWrites` runs: here on PostgreSQL, in the writer thread on SQLite. */
export const recordVerb = { changes, verb: changeRecords(changes) };

/** The verbs that the writer thread of SQLite runs, by the names that messages to it have. */
export const writerVerbs: ThreadVerbs = {
  changeRecords: recordVerb.verb,
  writeBatchOnce,
  createCampaignOnce,
  updateCampaignOnce,
  setCampaignStatusOnce,
  changeOrderGroup,
  changeOrdersOnce,
  reserveGroup,
};
