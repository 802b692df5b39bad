import { formatTime } from '../shared/timestamps.ts';
import type { ScheduleLine } from './queries.ts';

/** In responses and files: in wire order, the price in the currency's major unit, for example dollars. */
export interface ScheduleRecord {
  schedule_id: string;
  product_identifier: string;
  variation_identifier: string | null;
  scheduled_at: string;
  sold: boolean;
  sale_price: number | null;
  rating: number | null;
  order_id: number | null;
  placement_id: string | null;
}

export function scheduleRecord(line: ScheduleLine): ScheduleRecord {
  return {
    schedule_id: line.schedule_id,
    product_identifier: line.product_identifier,
    variation_identifier: line.variation_identifier,
    scheduled_at: formatTime(line.scheduled_at),
    sold: line.sold === 1,
    sale_price: fromHundredths(line.sale_price),
    rating: fromHundredths(line.rating),
    order_id: line.order_id,
    placement_id: line.placement_id,
  };
}

function fromHundredths(hundredths: number | null): number | null {
  return hundredths === null ? null : hundredths / 100;
}
