import type { ProductDraft } from '../products/record/product-draft.ts';
import type { ScheduleDraft } from '../sales/schedule-draft.ts';
import type { Random } from './random.ts';

/** The demo's schedules go over so many months, from this one on. */
const MONTHS = 24;
const FIRST_YEAR = 2024;
const FIRST_MONTH = 10;

/**
 * Two years of made-up auctions of these products, with more of them towards the year's end and a slow
 * growth over all. Each gives about `perMonth` schedules a month.
 */
export function* generateSchedules(
  products: readonly ProductDraft[],
  perMonth: number,
  random: Random,
): Generator<ScheduleDraft> {
  let number = 0;
  for (let month = 0; month < MONTHS; month += 1) {
    const start = Date.UTC(FIRST_YEAR, FIRST_MONTH + month, 1);
    const end = Date.UTC(FIRST_YEAR, FIRST_MONTH + month + 1, 1);
    const season = 1 + 0.5 * Math.cos(((FIRST_MONTH + month - 11) / 12) * 2 * Math.PI);
    const growth = 0.7 + (0.6 * month) / MONTHS;
    const count = Math.round(perMonth * season * growth);
    for (let index = 0; index < count; index += 1) {
      const product = products[Math.floor(random.next() ** 2 * products.length)];
      if (product === undefined) return;
      const sold = random.chance(0.35 + 0.1 * season);
      number += 1;
      yield {
        merchant: null,
        schedule_id: `S-${String(number).padStart(7, '0')}`,
        product_identifier: product.identifier,
        scheduled_at: start + Math.floor(random.next() * (end - start)),
        sold,
        sale_price: sold ? Math.round((product.fields.retail_price ?? 0) * random.whole(55, 95)) : null,
        rating: sold && random.chance(0.6) ? random.whole(2, 5) * 100 : null,
      };
    }
  }
}
