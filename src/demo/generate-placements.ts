import type { FactDraft } from '../placements/facts/fact-draft.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import type { ScheduleDraft } from '../sales/schedule-draft.ts';
import type { Random } from './random.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The oldest placement is of the day before so many days. */
const DAYS = 56;

/** What the placements of a campaign are generated from. Amounts are in units (`amounts.ts`). */
export interface AdvertisedCampaign {
  id: string;
  /** The products that name it. */
  products: readonly ProductDraft[];
  /** Placements on a usual day, next to its products' auctions. */
  perDay: number;
  bid: number;
  daily_budget: number;
}

interface Time {
  now: number;
  /** Of a time, in the merchant's time zone. */
  dayOf: (time: number) => string;
  /** Of the merchant's currency, in units. */
  minorUnit: number;
}

/**
 * Generates what an ad server delivered until `now`, oldest first: the auctions of a campaign's products, and
 * other places, of which there are more at weekends. No day costs more than the daily budget.
 */
export function generatePlacements(
  { id, products, perDay, bid, daily_budget: budget }: AdvertisedCampaign,
  schedules: readonly ScheduleDraft[],
  random: Random,
  { now, dayOf, minorUnit }: Time,
): FactDraft[] {
  const names = new Set(products.map(({ identifier }) => identifier));
  const start = now - DAYS * DAY_MS;
  const places = schedules
    .filter((schedule) => names.has(schedule.product_identifier) && schedule.scheduled_at > start)
    .map((schedule) => ({ ...schedule, placement_id: schedule.schedule_id, at: schedule.scheduled_at }));
  const others = Array.from({ length: DAYS }, (_, day) => {
    const midday = start + (day + 0.5) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midday).getUTCDay());
    const count = Math.round(perDay * (isWeekend ? 1.3 : 0.9) * (0.5 + random.next() * 0.8));
    return Array.from({ length: count }, (__, number) => ({
      placement_id: `P-${id.slice(-6)}-${day * 1000 + number}`,
      product_identifier: products[Math.floor(random.next() ** 3 * products.length)]?.identifier ?? '',
      at: Math.floor(start + (day + random.next()) * DAY_MS),
    }));
  });
  const spent = new Map<string, number>();
  return [...places, ...(products.length > 0 ? others.flat() : [])]
    .sort((one, other) => one.at - other.at)
    .flatMap(({ placement_id, product_identifier, at }) => {
      const price = Math.ceil((bid * random.whole(40, 100)) / 100 / minorUnit) * minorUnit;
      const day = dayOf(at);
      const total = (spent.get(day) ?? 0) + price;
      if (total > budget) return [];
      spent.set(day, total);
      const place = { placement_id, product_identifier, delivered_at: at, price };
      return [{ merchant: null, campaign_id: id, ...place }];
    });
}
