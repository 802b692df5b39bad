import { setTimeout } from 'node:timers/promises';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { Random } from '../../src/demo/random.ts';
import type { RequestRecord, SentRequest } from '../../src/placements/reserve/auction.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { UNSET_AMOUNTS } from '../../test/support/catalog.ts';
import { createOperatorKey } from '../../test/support/keys.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import { send } from '../measuring/client.ts';
import { databaseOf, generateDrafts } from './build-database.ts';

/** `products` and `campaigns` are of each merchant. Categories have products of all of them. */
interface MarketSize {
  merchants: number;
  products: number;
  campaigns: number;
  categories: number;
}

/** A product with a limit could win only a few times a day. */
const TERMS = { max_daily_schedules: null, status: undefined, available_quantity: 9 };
/**
 * Builds a marketplace on first use and keeps it. Each product is in a campaign of its merchant: the product
 * with the ID n in `Campaign n`, modulo the campaigns. Also creates a token of the operator.
 */
export async function marketOf(
  engine: Engine,
  name: string,
  { merchants, products, campaigns, categories }: MarketSize,
): Promise<{ settings: Settings; token: string }> {
  const drafts = function* (count: number, seed: number): Generator<ProductDraft> {
    let number = 0;
    for (const { fields, ...draft } of generateDrafts(count, seed)) {
      number += 1;
      const campaign_name = `Campaign ${number % campaigns}`;
      const category = `Level ${(seed * count + number) % categories}`;
      yield { ...draft, variations: undefined, fields: { ...fields, ...TERMS, campaign_name, category } };
    }
  };
  const sizes = Array<number>(merchants).fill(products);
  const random = new Random(1);
  const settings = await databaseOf(engine, name, sizes, {
    drafts,
    addTo: (database, merchantId) => addCampaigns(database, merchantId, campaigns, random),
  });
  const database = await openDatabase(parseConfig(settings), Date.now());
  const key = { name: 'bench', scopes: ['campaigns'], expiresAt: null } as const;
  const { token } = await createOperatorKey({ database, now: Date.now }, key);
  await database.close();
  return { settings, token };
}

async function addCampaigns(
  database: Database,
  merchantId: number,
  campaigns: number,
  random: Random,
): Promise<void> {
  for (let number = 0; number < campaigns; number += 1)
    await addCampaign(database, merchantId, `Campaign ${number}`, random.whole(10, 200) / 100);
}

/** Adds a campaign without budgets. */
export async function addCampaign(
  database: Database,
  merchantId: number,
  name: string,
  bid: number,
): Promise<Campaign> {
  const caller = { merchantId, who: OPERATOR, budget: null };
  const draft = { ...UNSET_AMOUNTS, name, type: 'AuctionCampaign', bid_amount: bid };
  return await runVerb({ database, now: Date.now }, caller, createCampaign, draft);
}

export function placementsUrl({ baseUrl }: { baseUrl: string }): string {
  return baseUrl.replace('/v1', '/operator/v1/placements');
}

/** Sends one request. `results` is empty if it was refused. */
export async function askForPlacements(
  url: string,
  token: string,
  asked: SentRequest,
): Promise<{ status: number; results: RequestRecord[] }> {
  const json = JSON.stringify({ requests: [asked] });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const { status, body } = await send(url, json, headers);
  const { results = [] } = JSON.parse(body.toString()) as { results?: RequestRecord[] };
  return { status, results };
}

/** Asks for placements until the server has read who competes: it begins when it is asked. */
export async function untilComplete(url: string, token: string): Promise<void> {
  for (;;) {
    const { status } = await askForPlacements(url, token, { key: 'first' });
    if (status === 200) return;
    if (status !== 503) throw new Error(`POST /placements responds with ${status}`);
    await setTimeout(50);
  }
}
