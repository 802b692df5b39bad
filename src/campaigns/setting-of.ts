import { missingMerchant } from '../database/merchant-queries.ts';
import type { TransactionContext } from '../database/write-context.ts';
import type { CampaignSetting } from './campaign.ts';
import { findSetting } from './queries.ts';

/** Resolves to what a campaign with a name has beyond its row. */
export async function settingOf(
  { connection, merchantId }: TransactionContext,
  name: string,
): Promise<CampaignSetting> {
  const setting = await connection.first(findSetting, { merchantId, name });
  if (setting === undefined) throw missingMerchant(merchantId);
  return setting;
}
