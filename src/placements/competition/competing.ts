import type { CampaignStatus } from '../../campaigns/campaign.ts';
import type { ProductStatus } from '../../products/record/product.ts';

/** A merchant as the competition knows it. Those with an ID below 0 are test sides and never compete. */
export interface CompetingMerchant {
  merchantId: number;
  /** ISO 4217. */
  currency: string;
  /** False while the merchant is suspended. */
  isActive: boolean;
}

export interface CompetingCampaign {
  merchantId: number;
  campaignId: string;
  name: string;
  type: string;
  status: CampaignStatus;
  /** In units (`amounts.ts`), rounded down to the minor unit; null for none. */
  bid: number | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface CompetingProduct {
  merchantId: number;
  /** The internal ID: a whole number below 2^32. */
  productId: number;
  campaignName: string | null;
  status: ProductStatus;
  /** The first two levels; '' for none. */
  category: readonly [level1: string, level2: string];
  /** In units (`amounts.ts`), rounded down to the minor unit; null for none. */
  schedulingFeeBid: number | null;
  maxDailySchedules: number | null;
  /** Above 0; kept with 24 significant bits. 1 for `AD_QUALITY=off`. */
  quality: number;
}
