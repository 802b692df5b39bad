import { type MerchantName, tokensOf } from '../merchants.ts';
import type { Ask } from '../work.ts';
import { apiAsk, type Case } from '../world.ts';

function creations(merchant: MerchantName, headers: Record<string, string>): Ask[] {
  return tokensOf(merchant).map((token) => ({
    ...apiAsk('/campaigns.json', token),
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `${'Spring '.repeat(30)}{n}`, type: 'AuctionCampaign', bid_amount: 0.5 }),
  }));
}

export const campaignCases: Case[] = [
  {
    name: 'campaigns',
    short: true,
    works: () => [{ does: 'ask', asks: creations('deep', {}), connections: 32, rate: null }],
  },
  {
    name: 'campaigns-with-keys',
    short: false,
    works: () => [
      {
        does: 'ask',
        asks: creations('limit', { 'idempotency-key': 'key-{n}' }),
        connections: 32,
        rate: null,
      },
    ],
  },
];
