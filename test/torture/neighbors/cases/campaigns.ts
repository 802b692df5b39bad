import { apiRequest, type Case } from '../case.ts';
import { type MerchantName, tokensOf } from '../merchants.ts';
import type { TestRequest } from '../workload.ts';

function creations(merchant: MerchantName, headers: Record<string, string>): TestRequest[] {
  return tokensOf(merchant).map((token) => ({
    ...apiRequest('/campaigns.json', token),
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `${'Spring '.repeat(30)}{n}`, type: 'AuctionCampaign', bid_amount: 0.5 }),
  }));
}

export const campaignCases: Case[] = [
  {
    name: 'campaigns',
    short: true,
    workloads: () => [{ action: 'request', requests: creations('deep', {}), connections: 32, rate: null }],
  },
  {
    name: 'campaigns-with-keys',
    short: false,
    workloads: () => [
      {
        action: 'request',
        requests: creations('limit', { 'idempotency-key': 'key-{n}' }),
        connections: 32,
        rate: null,
      },
    ],
  },
];
