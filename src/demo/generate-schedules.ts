import type { ProductDraft } from '../products/record/product-draft.ts';
import type { ScheduleDraft } from '../sales/schedule-draft.ts';
import type { DemoOrder } from './generate-orders.ts';
import type { Random } from './random.ts';

/** Whole months before the current one. */
const MONTHS = 24;
const DECEMBER = 11;

/** Generates auctions up to `now`, about `perMonth` a month, with slow growth and a peak in December. */
export function* generateSchedules(
  products: readonly ProductDraft[],
  perMonth: number,
  random: Random,
  now: number,
): Generator<ScheduleDraft> {
  const today = new Date(now);
  const monthStart = (month: number): number =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - MONTHS + month, 1);
  let number = 0;
  for (let month = 0; month <= MONTHS; month += 1) {
    const [start, end] = [monthStart(month), monthStart(month + 1)];
    const season = 1 + 0.5 * Math.cos(((new Date(start).getUTCMonth() - DECEMBER) / 12) * 2 * Math.PI);
    const growth = 0.7 + (0.6 * month) / MONTHS;
    const count = Math.round(perMonth * season * growth);
    for (let index = 0; index < count; index += 1) {
      const product = products[Math.floor(random.next() ** 2 * products.length)];
      if (product === undefined) return;
      const sold = random.chance(0.35 + 0.1 * season);
      number += 1;
      const schedule: ScheduleDraft = {
        merchant: null,
        schedule_id: `S-${String(number).padStart(7, '0')}`,
        product_identifier: product.identifier,
        scheduled_at: start + Math.floor(random.next() * (end - start)),
        sold,
        sale_price: sold ? Math.round((product.fields.retail_price ?? 0) * random.whole(55, 95)) : null,
        rating: sold && random.chance(0.6) ? random.whole(2, 5) * 100 : null,
      };
      if (schedule.scheduled_at <= now) yield schedule;
    }
  }
}

/** Returns the auctions in which orders were sold. */
export function schedulesOf(orders: readonly DemoOrder[]): ScheduleDraft[] {
  return orders.flatMap(({ draft }) => {
    const { order_id, product_identifier, variation_identifier, created_at, available_refunds } = draft;
    if (order_id == null || created_at == null || product_identifier === undefined) return [];
    const schedule_id = `S-O${order_id}`;
    const sale = { sold: true, sale_price: available_refunds?.buyer_fee ?? 0, rating: null };
    const names = { merchant: null, schedule_id, product_identifier, variation_identifier, order_id };
    return [{ ...names, scheduled_at: created_at, ...sale }];
  });
}
