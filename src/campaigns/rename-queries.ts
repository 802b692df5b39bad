import { insertInto, statement } from '../database/statement.ts';
import type { CampaignKey } from './queries.ts';

export interface NamedProduct {
  internal_id: number;
  identifier: string;
  bytes: number;
}

/** The products that name a campaign, after an internal id, unless they changed after `revision`. */
export const listProductsToMove = statement<
  { merchantId: number; name: string; after: number; revision: number; limit: number },
  NamedProduct
>(
  `SELECT internal_id, identifier, octet_length(record) AS bytes FROM products
   WHERE merchant_id = :merchantId AND campaign_name = :name AND internal_id > :after AND revision <= :revision
   ORDER BY internal_id LIMIT CAST(:limit AS bigint)`,
);

/** Some of its products have not moved yet. Ids sort by the time of the rename. */
interface RenameRow {
  merchant_id: number;
  id: string;
  former_name: string;
  name: string;
  /** The catalog's revision at the rename. */
  revision: number;
  /** The internal id of the last product that was moved or left alone. */
  moved_to: number;
}

export const insertRename = insertInto<RenameRow>('campaign_renames', [
  'merchant_id',
  'id',
  'former_name',
  'name',
  'revision',
  'moved_to',
]);

export const findOldestRename = statement<{ merchantId: number }, RenameRow>(
  `SELECT merchant_id, id, former_name, name, revision, moved_to FROM campaign_renames
   WHERE merchant_id = :merchantId ORDER BY id LIMIT 1`,
);

/** Unfinished renames move their products to the campaign's next name at once. */
export const retargetRenames = statement<{ merchantId: number; formerName: string; name: string }, never>(
  'UPDATE campaign_renames SET name = :name WHERE merchant_id = :merchantId AND name = :formerName',
);

export const updateProgress = statement<CampaignKey & { movedTo: number }, never>(
  'UPDATE campaign_renames SET moved_to = :movedTo WHERE merchant_id = :merchantId AND id = :id',
);

export const deleteRename = statement<CampaignKey, never>(
  'DELETE FROM campaign_renames WHERE merchant_id = :merchantId AND id = :id',
);

/** Least progress first. It reads all nodes of a cluster: only the process that numbers events runs it. */
export const listRenamingMerchants = statement<{ limit: number }, { merchant_id: number }>(
  `SELECT merchant_id FROM campaign_renames GROUP BY merchant_id
   ORDER BY max(moved_to), merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);
