import { PRODUCT_NAME } from '../brand/brand.ts';
import type { Reader } from '../database/database.ts';
import { findMarketplace, type Marketplace } from './queries.ts';

/** Until an operator names the marketplace. */
const UNNAMED: Marketplace = { name: PRODUCT_NAME, time_zone: 'UTC', currency: 'USD' };

export interface MarketplaceSettings extends Marketplace {
  /** Whether an operator has stated them, instead of the defaults. */
  is_set: boolean;
}

export async function readMarketplace(reader: Pick<Reader, 'first'>): Promise<MarketplaceSettings> {
  const stored = await reader.first(findMarketplace);
  return { ...(stored ?? UNNAMED), is_set: stored !== undefined };
}
