import { setCampaignStatusOnce, updateCampaignOnce } from './campaigns/change-campaign.ts';
import { createCampaignOnce } from './campaigns/create-campaign.ts';
import type { ThreadVerbs } from './database/sqlite/write-server.ts';
import { createProduct, setProductState, updateProduct } from './products/write/products.ts';
import { writeBatchOnce } from './products/write/write-batch.ts';
import { changeRecords, type RecordReads } from './products/write/write-records.ts';
import { createVariation, setVariationState, updateVariation } from './variations/write-variation.ts';

/** The calls that change one product or variation. */
const reads: RecordReads = {
  createProduct,
  updateProduct,
  setProductState,
  createVariation,
  updateVariation,
  setVariationState,
};

export const recordVerb = { reads, verb: changeRecords(reads) };

/** The verbs that the writer thread of SQLite runs, by the names that messages to it have. */
export const writerVerbs: ThreadVerbs = {
  changeRecords: recordVerb.verb,
  writeBatchOnce,
  createCampaignOnce,
  updateCampaignOnce,
  setCampaignStatusOnce,
};
