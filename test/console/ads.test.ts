import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Overview } from '../../src/console/catalog-api.ts';
import { Advertiser } from '../placements/placements-support.ts';
import { importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const ZONE = 'Pacific/Auckland';

forEachEngine((engine) => {
  describe('ads on the overview', () => {
    const service = useService(engine);

    it('compare this month with the same days of last month, in the merchant’s time zone', async () => {
      const advertiser = await Advertiser.open(service(), { timeZone: ZONE });
      const { merchant, campaign } = advertiser;
      const console = await signedIn(service(), merchant);
      const read = async (): Promise<Overview['ads']> =>
        (await console.get('/overview')).json<Overview>().ads;
      assert.equal(await read(), null);
      const now = Temporal.Instant.fromEpochMilliseconds(service().now()).toZonedDateTimeISO(ZONE);
      // The 28th of a month that is over, when all facts are in the past.
      const then = now.subtract({ months: 1 }).with({ day: 28, hour: 12 }).startOfDay().add({ hours: 12 });
      service().passTime(then.epochMilliseconds - now.epochMilliseconds);
      const midnight = then.with({ day: 1 }).startOfDay();
      const sameDay = then.subtract({ months: 1 });
      const facts = [
        { id: 'a', at: midnight, price: 1 },
        { id: 'b', at: then, price: 2 },
        { id: 'c', at: midnight.subtract({ seconds: 1 }), price: 4 },
        { id: 'd', at: sameDay.startOfDay().add({ days: 1 }).subtract({ seconds: 1 }), price: 8 },
        { id: 'e', at: midnight.subtract({ months: 1 }), price: 16 },
        { id: 'f', at: midnight.subtract({ months: 1, seconds: 1 }), price: 32 },
      ].map(({ id, at, price }) => ({
        merchant: null,
        placement_id: id,
        campaign_id: campaign,
        product_identifier: 'VASE',
        delivered_at: at.epochMilliseconds,
        price: price * 10_000,
      }));
      const sale = {
        merchant: null,
        product_identifier: 'VASE',
        sold: true,
        sale_price: 1_500,
        rating: null,
      };
      const scheduled_at = midnight.epochMilliseconds;
      await importScheduleDrafts(service(), merchant, [[{ ...sale, schedule_id: 'a', scheduled_at }]]);
      assert.deepEqual((await importFactDrafts(service(), merchant, [facts])).rejections, []);
      const ads = await read();
      const { this_month, last_month_to_date } = ads ?? {};
      assert.deepEqual([this_month?.spend, this_month?.revenue, this_month?.return_on_spend], [3, 15, 5]);
      // Days after the 28th count only if last month has none of them.
      assert.deepEqual(
        [last_month_to_date?.spend, last_month_to_date?.revenue],
        [8 + 16 + (sameDay.daysInMonth === 28 ? 4 : 0), 0],
      );
    });
  });
});
