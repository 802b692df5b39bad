import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { Database } from '../../src/database/database.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import type { FactDraft } from '../../src/placements/facts/fact-draft.ts';
import { importFacts } from '../../src/placements/facts/import-facts.ts';
import type { Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import type { Figure } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { databaseOf, generateDrafts, parsedBatches } from '../service/build-database.ts';
import { addCampaign } from '../service/market.ts';
import { serve, tokenOf } from '../service/servers.ts';

const ROUNDS = 5;
const PRODUCTS = 500;
const DAYS = 90;
const SIZES = { small: 1_000, large: 1_000_000 };
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Compares reports of a campaign with very many placements to those of one with few, on the same days. */
export async function reports(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const sizes = short ? { ...SIZES, large: SIZES.large / 100 } : SIZES;
  const settings = await databaseOf(engine, `reports_${sizes.large}`, [PRODUCTS], {
    addTo: (database, merchantId) => addPlacements(database, merchantId, sizes),
  });
  const token = await tokenOf(settings, 'm1');
  await using server = await serve(settings);
  const figures: Figure[] = [];
  for (const by of ['day', 'product', 'total']) {
    const loadOf = (name: string) => (): Promise<LoadResult> =>
      load({
        url: `${server.baseUrl}/campaigns/performance.json?name=${name}&by=${by}`,
        seconds: short ? 1 : 3,
        headers: { authorization: `Bearer ${token}` },
      });
    const { small, large } = await inTurns({ small: loadOf('small'), large: loadOf('large') }, ROUNDS);
    figures.push({
      name: `report by ${by}: time with ${sizes.large.toLocaleString('en')} placements ÷ with ${sizes.small.toLocaleString('en')}`,
      ...ratio(small, large),
      bound: { atMost: 5 },
      notes: describeRates({ large, small }),
    });
  }
  return figures;
}

/** A campaign for each size, with the same products and days. */
async function addPlacements(database: Database, merchantId: number, sizes: typeof SIZES): Promise<void> {
  const services = { database, now: Date.now };
  const identifiers = [...generateDrafts(PRODUCTS, 1)].map(({ identifier }) => identifier);
  const merchant = await findMerchant(services, String(merchantId));
  for (const [name, size] of Object.entries(sizes)) {
    const campaign = await addCampaign(database, merchantId, name, 1);
    const options = {
      merchants: itemMerchants(database, merchant),
      dryRun: false,
      onRejected: (): never => {
        throw new Error('a placement was rejected');
      },
      onRepeated: () => {},
    };
    const facts = factsOf(campaign, size, identifiers);
    await importFacts({ ...services, lowBudget: 80 }, parsedBatches(facts), options);
  }
}

/** Spread evenly over products and days. */
function* factsOf(
  { internal_id: campaign_id, name }: Pick<Campaign, 'internal_id' | 'name'>,
  count: number,
  identifiers: readonly string[],
): Generator<FactDraft> {
  const start = Date.now() - DAYS * DAY_MS;
  for (let number = 0; number < count; number += 1)
    yield {
      merchant: null,
      placement_id: `${name}-${number}`,
      campaign_id,
      product_identifier: identifiers[number % identifiers.length] ?? '',
      delivered_at: start + Math.floor((number / count) * DAYS) * DAY_MS,
      price: 100 * (1 + (number % 50)),
    };
}
