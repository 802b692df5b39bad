import type { Campaign } from '../../src/campaigns/campaign.ts';
import { exportCampaigns } from '../../src/campaigns/export-campaigns.ts';
import type { Database } from '../../src/database/database.ts';

/** Returns every campaign of a merchant, as stored, oldest first. */
export async function campaignsOf(
  { database }: { database: Database },
  { id }: { id: number },
): Promise<Campaign[]> {
  const campaigns: Campaign[] = [];
  for await (const batch of exportCampaigns({ database }, id)) campaigns.push(...batch);
  return campaigns;
}
