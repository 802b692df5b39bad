import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lossReasons } from '../../src/placements/decide/loss-reasons.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { DiagnosisMarket, HOUR_MS, type MarketCampaign, modelBid, modelOutcome } from './diagnosis-market.ts';

/** What the model counts of a campaign or a product. */
function modelOf(
  market: DiagnosisMarket,
  campaign: MarketCampaign,
  product: number | null,
): { requests: number; won: number; lost: Record<string, number>; bids: number[]; others: number } {
  const lost: Record<string, number> = Object.fromEntries(lossReasons.map((reason) => [reason, 0]));
  const bids: number[] = [];
  const others = new Set<number>();
  let won = 0;
  for (const request of market.requests) {
    const found = modelOutcome(request, campaign, product);
    if (found === undefined) continue;
    bids.push(modelBid(request, found.price));
    const { awards, unfilled } = request.decision;
    const decided = unfilled > 0 || found.outcome === 'won' ? undefined : awards.at(-1)?.candidate.merchantId;
    if (decided !== undefined && decided !== campaign.merchant.id) others.add(decided);
    if (found.outcome === 'won') won += 1;
    else lost[found.outcome] = (lost[found.outcome] ?? 0) + 1;
  }
  return {
    requests: bids.length,
    won,
    lost,
    bids: bids.sort((one, other) => one - other),
    others: others.size,
  };
}

forEachEngine((engine) => {
  const service = useService(engine, { environment: { AD_QUALITY: 'off' } });

  it('counts what a model with all requests in an array counts, for campaigns and for products', async () => {
    const random = newRandom();
    const market = new DiagnosisMarket(service());
    await market.add({ bid: 2000, products: 2 }, { bid: 1500, products: 2 });
    await market.add({ bid: 1800, products: 3 });
    for (const bid of [1700, 1600, 1400]) await market.add({ bid, products: 1 });
    service().passTime(22 * HOUR_MS);
    const seen = new Set<string>();
    do {
      for (let request = 0; request < 300; request++)
        market.decideAny(random, service().now() - random.whole(0, 21) * HOUR_MS);
      await market.flush();
      for (const campaign of market.campaigns)
        for (const product of [null, ...campaign.products]) {
          const identifier = product === null ? undefined : `P${product}`;
          const { requests, won, lost, bids } = await market.diagnose(campaign, identifier);
          const { bids: modelBids, others, ...model } = modelOf(market, campaign, product);
          assert.deepEqual({ requests, won, lost }, model, `${campaign.bid} ${identifier}`);
          for (const [reason, count] of Object.entries(lost)) if (count > 0) seen.add(reason);
          if (won > 0) seen.add('won');
          if (bids !== null) {
            seen.add('bids');
            assert.ok(requests >= 50 && others >= 3, `bids for ${requests} requests, ${others} others`);
          }
          for (const { percent, bid } of bids ?? []) {
            // Bids that would tell too much of a rival are rounded up to a higher one.
            const exact = (modelBids[Math.ceil((percent * requests) / 100) - 1] ?? 0) / 10_000;
            const highest = (modelBids.at(-1) ?? 0) / 10_000;
            assert.ok(
              bid >= 0.95 * exact && bid <= 1.15 * highest + 0.05,
              `${percent} %: ${bid}, not ${exact} to ${highest}`,
            );
          }
        }
    } while (seen.size < 10);
  });

  describe('what no decision says', () => {
    async function open(): Promise<{ market: DiagnosisMarket; low: MarketCampaign }> {
      const market = new DiagnosisMarket(service());
      await market.add({ bid: 5000, products: 1 });
      await market.add({ bid: 1000, products: 2 });
      const low = market.campaigns[1];
      assert.ok(low !== undefined);
      return { market, low };
    }

    async function change(low: MarketCampaign, path: string, json: object): Promise<void> {
      const headers = { authorization: `Bearer ${low.merchant.token}` };
      const response = await service().request('POST', path, { json, headers });
      assert.equal(response.status, 200, response.text);
    }

    /** 60 requests of a new market in the present hour, and what the campaign with the low bid lost. */
    async function lostAfter(...changes: [path: string, fields: object][]): Promise<object> {
      service().passTime(48 * HOUR_MS);
      const { market, low } = await open();
      for (const [path, fields] of changes) await change(low, path, { internal_id: low.id, ...fields });
      for (let request = 0; request < 60; request++) market.decide({ floor: 1000 });
      await market.flush();
      const { requests, won, lost } = await market.diagnose(low);
      assert.deepEqual([requests, won], [60, 0]);
      return Object.fromEntries(Object.entries(lost).filter(([, count]) => count > 0));
    }

    it('follows from the state of the campaign', async () => {
      const never = Object.fromEntries(
        [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => [`hourly_schedule[${slot}]`, 0]),
      );
      assert.deepEqual(await lostAfter(), { outbid: 60 });
      assert.deepEqual(await lostAfter(['/campaigns/pause', {}]), { paused: 60 });
      assert.deepEqual(await lostAfter(['/campaigns/end', {}]), { paused: 60 });
      assert.deepEqual(await lostAfter(['/campaigns/update', never]), { paused: 60 });
      assert.deepEqual(await lostAfter(['/campaigns/update', { bid_amount: null }]), { no_bid: 60 });
      assert.deepEqual(await lostAfter(['/campaigns/update', { bid_amount: 0.09 }]), { below_floor: 60 });
    });

    it('follows from the states of all products, or else of the one', async () => {
      service().passTime(48 * HOUR_MS);
      const { market, low } = await open();
      await change(low, '/products/disable', { identifier: 'P1' });
      for (let request = 0; request < 10; request++) market.decide();
      await market.flush();
      assert.equal((await market.diagnose(low)).lost.outbid, 10);
      assert.equal((await market.diagnose(low, 'P1')).lost.disabled, 10);
      await change(low, '/products/disable', { identifier: 'P2' });
      assert.equal((await market.diagnose(low)).lost.disabled, 10);
    });

    it('is not claimed for hours before the last change, and nothing for hours before the campaign', async () => {
      service().passTime(48 * HOUR_MS);
      const { market, low } = await open();
      const created = service().now();
      service().passTime(3 * HOUR_MS);
      await change(low, '/campaigns/pause', { internal_id: low.id });
      for (const at of [created - HOUR_MS, created, created + HOUR_MS, service().now()])
        market.decide({}, at);
      await market.flush();
      const { requests, lost } = await market.diagnose(low);
      assert.deepEqual([requests, lost.outbid, lost.paused], [3, 2, 1]);
    });

    it('is forgotten after 24 hours', async () => {
      service().passTime(48 * HOUR_MS);
      const { market, low } = await open();
      market.decide();
      await market.flush();
      service().passTime(23 * HOUR_MS);
      assert.equal((await market.diagnose(low)).requests, 1);
      service().passTime(HOUR_MS);
      assert.equal((await market.diagnose(low)).requests, 0);
    });
  });

  it('shows bids only for 50 requests or more that three other merchants decided, none more than half of them', async () => {
    service().passTime(48 * HOUR_MS);
    const market = new DiagnosisMarket(service());
    for (const bid of [5000, 4000, 3000, 1000]) await market.add({ bid, products: 1 });
    const [first, second, third, low] = market.campaigns;
    assert.ok(first !== undefined && second !== undefined && third !== undefined && low !== undefined);
    const win = async (winner: MarketCampaign, requests: number): Promise<void> => {
      const refusal = ({ bid }: { bid: number }) =>
        bid > winner.bid ? ('daily_budget' as const) : undefined;
      for (let request = 0; request < requests; request++) market.decide({ refusal });
      await market.flush();
    };
    await win(first, 24);
    await win(second, 14);
    await win(third, 12);
    // The service follows who competes from the first diagnosis on.
    await until(async () => (await market.diagnose(low)).bids !== null);
    assert.deepEqual(
      (await market.diagnose(low)).bids?.map(({ bid }) => bid),
      [0.55, 0.55, 0.55, 0.55],
    );
    // What it won itself was decided by nobody else.
    assert.equal((await market.diagnose(first)).bids, null);
    await win(low, 1);
    await until(async () => (await market.diagnose(first)).bids !== null);
    const { bids, median_winning_price: price } = await market.diagnose(first);
    assert.deepEqual([price, bids?.map(({ bid }) => bid)], [0.4, [0.45, 0.45, 0.45, 0.45]]);

    service().passTime(48 * HOUR_MS);
    await win(first, 23);
    await win(second, 13);
    await win(third, 13);
    const fewer = await market.diagnose(low);
    assert.deepEqual([fewer.requests, fewer.bids], [49, null]);

    service().passTime(48 * HOUR_MS);
    await win(first, 60);
    assert.equal((await market.diagnose(low)).bids, null);
    await win(low, 1);
    await win(second, 30);
    assert.equal((await market.diagnose(low)).bids, null);
    await win(third, 30);
    await until(async () => (await market.diagnose(low)).bids !== null);
  });

  it('does not know campaigns and products of others', async () => {
    const market = new DiagnosisMarket(service());
    await market.add({ bid: 5000, products: 1 });
    const other = await service().newMerchant();
    const [campaign] = market.campaigns;
    assert.ok(campaign !== undefined);
    const status = async (query: Record<string, string>, merchant = campaign.merchant): Promise<number> =>
      (await service().get('/campaigns/diagnosis', merchant, query)).status;
    assert.equal(await status({ internal_id: campaign.id }), 200);
    assert.equal(await status({ internal_id: campaign.id }, other), 404);
    assert.equal(await status({ internal_id: campaign.id, product_identifier: 'P2' }), 404);
    assert.equal(await status({}), 400);
  });
});
