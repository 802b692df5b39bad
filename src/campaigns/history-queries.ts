import type { ChangeAuthor } from '../audit/change-author.ts';
import { insertInto, statement } from '../database/statement.ts';

/** A change of a campaign. The database adds `written_at`. */
export interface CampaignChangeRow extends Omit<ChangeAuthor, 'import_id'> {
  merchant_id: number;
  campaign_id: string;
  /** The ID of its event. IDs decide the order within a millisecond. */
  id: string;
  /** JSON: the values of each changed field before and after. Before its creation, a campaign has null. */
  changes: string;
}

export const insertCampaignChange = insertInto<CampaignChangeRow>('campaign_changes', [
  'merchant_id',
  'campaign_id',
  'id',
  'at',
  'actor_kind',
  'actor_name',
  'request_id',
  'changes',
]);

/** The changes of a campaign before a position, newest first. */
export const listChangesOfCampaign = statement<
  { merchantId: number; campaignId: string; writtenAt: number; changeId: string; limit: number },
  Omit<CampaignChangeRow, 'merchant_id' | 'campaign_id'> & { written_at: number }
>(
  `SELECT written_at, id, at, actor_kind, actor_name, request_id, changes FROM campaign_changes
   WHERE merchant_id = :merchantId AND campaign_id = :campaignId
     AND (written_at, id) < (:writtenAt, :changeId)
   ORDER BY written_at DESC, id DESC LIMIT :limit`,
);

/** The time of the old change that has `offset` older ones of its merchant. */
export const findOldCampaignChange = statement<
  { merchantId: number; before: number; offset: number },
  { at: number }
>(
  `SELECT at FROM campaign_changes WHERE merchant_id = :merchantId AND at < :before
   ORDER BY at LIMIT 1 OFFSET :offset`,
);

export const deleteCampaignChanges = statement<{ merchantId: number; upTo: number }, never>(
  'DELETE FROM campaign_changes WHERE merchant_id = :merchantId AND at <= :upTo',
);
