import { setTimeout } from 'node:timers/promises';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { setStatusAsOperator } from '../../src/campaigns/change-campaign.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { askForPlacements, marketOf, placementsUrl, untilComplete } from '../service/market.ts';
import { serve } from '../service/servers.ts';

const MARKET = { merchants: 1_000, products: 1_000, campaigns: 100, categories: 100 };
const ROUNDS = 3;
const CHANGES = 20;
/** After that, every process knows that a campaign was paused. */
const FOLLOWED_MS = 4_000;

const findCampaign = statement<
  { merchantId: number },
  Pick<Campaign, 'internal_id'> & { identifier: string }
>(
  `SELECT c.id AS internal_id, p.identifier
   FROM campaigns c JOIN products p ON p.merchant_id = c.merchant_id AND p.campaign_name = c.name
   WHERE c.merchant_id = :merchantId ORDER BY p.internal_id LIMIT 1`,
);

/**
 * Measures how long a process reads who competes among a million products after its start, and how long a
 * change of a campaign takes to count.
 */
export async function competition(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const size = short ? { ...MARKET, merchants: 100 } : MARKET;
  const { settings, token } = await marketOf(engine, `competition_${size.merchants}`, size);
  const loads: number[] = [];
  for (let round = 1; round < ROUNDS; round += 1) {
    await using server = await serve(settings);
    loads.push(await secondsOf(() => untilComplete(placementsUrl(server), token)));
  }
  await using server = await serve(settings);
  const url = placementsUrl(server);
  loads.push(await secondsOf(() => untilComplete(url, token)));
  const database = await openDatabase(parseConfig(settings), Date.now());
  let requests = 0;
  const isPlaced = async (merchant: string, identifier: string): Promise<boolean> => {
    requests += 1;
    const asked = { key: `${url} ${Date.now()} ${requests}`, products: [{ merchant, identifier }] };
    const { results } = await askForPlacements(url, token, asked);
    return results[0]?.placements.length === 1;
  };
  const delays: number[] = [];
  await Promise.all(
    Array.from({ length: CHANGES }, async (_, index) => {
      const merchantId = index + 1;
      const [found] = await database.all(findCampaign, { merchantId });
      if (found === undefined) throw new Error(`merchant ${merchantId} has no campaign with a product`);
      const { internal_id: id, identifier } = found;
      const set = (status: Campaign['status']): Promise<unknown> =>
        runVerb({ database, now: Date.now }, { merchantId, who: OPERATOR }, setStatusAsOperator, {
          id,
          status,
        });
      await set('Paused');
      await setTimeout(FOLLOWED_MS + 100 * index);
      await set('Active');
      delays.push(
        await secondsOf(async () => {
          while (!(await isPlaced(String(merchantId), identifier))) await setTimeout(20);
        }),
      );
    }),
  );
  await database.close();
  const products = `${(size.merchants * size.products).toLocaleString('en')} products`;
  return [
    {
      name: `seconds to read who competes among ${products}`,
      ...measured(loads),
      bound: { atMost: 10 },
      notes: `${(size.merchants * size.campaigns).toLocaleString('en')} campaigns`,
    },
    {
      name: 'seconds until a campaign that is resumed gets placements, at most',
      ...measured([Math.max(...delays)]),
      bound: { atMost: 2 },
      notes: `of ${CHANGES} changes, median ${measured(delays).median.toFixed(2)}`,
    },
  ];
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
