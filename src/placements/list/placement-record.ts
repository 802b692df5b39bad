import { amountOf } from '../../shared/amounts.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { Placement, PlacementState } from '../record/placement.ts';
import type { PlacementLine } from './queries.ts';

/** In responses and files: in wire order, amounts in the currency's major unit, for example dollars. */
export interface PlacementRecord {
  placement_id: string;
  campaign_id: string;
  product_identifier: string;
  state: PlacementState;
  price: number;
  bid: number | null;
  day: string;
  reserved_at: string | null;
  expires_at: string | null;
  delivered_at: string | null;
  released_at: string | null;
  late: boolean;
  schedule_id: string | null;
  revenue: number | null;
}

export function placementRecord({ product_identifier, ...line }: PlacementLine): PlacementRecord {
  const time = (name: 'reserved_at' | 'expires_at' | 'delivered_at' | 'released_at'): string | null =>
    formatIfKnown(line[name]);
  const amount = (units: Placement['bid']): number | null => (units === null ? null : amountOf(units));
  return {
    placement_id: line.placement_id,
    campaign_id: line.campaign_id,
    product_identifier,
    state: line.state,
    price: amountOf(line.price),
    bid: amount(line.bid),
    day: line.day,
    reserved_at: time('reserved_at'),
    expires_at: time('expires_at'),
    delivered_at: time('delivered_at'),
    released_at: time('released_at'),
    late: line.late === 1,
    schedule_id: line.schedule_id,
    revenue: line.revenue === null ? null : line.revenue / 100,
  };
}

function formatIfKnown(at: number | null): string | null {
  return at === null ? null : formatTime(at);
}
