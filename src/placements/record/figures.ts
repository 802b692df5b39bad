import type { Placement } from './placement.ts';

/** What placements add up to. */
export interface PlacementFigures {
  reserved: number;
  /** The prices of reserved placements. */
  reserved_amount: number;
  delivered: number;
  /** The prices of delivered placements. */
  spend: number;
  /** Delivered placements whose schedule sold. */
  orders: number;
  /** In hundredths, like the prices of schedules, which have higher limits. */
  revenue: number;
}

export const NOTHING: PlacementFigures = {
  reserved: 0,
  reserved_amount: 0,
  delivered: 0,
  spend: 0,
  orders: 0,
  revenue: 0,
};

export const figureNames = Object.keys(NOTHING) as (keyof PlacementFigures)[];

/** Returns what one placement adds to figures. */
export function figuresOf(
  placement: Pick<Placement, 'state' | 'price' | 'revenue'> | undefined,
): PlacementFigures {
  if (placement === undefined || placement.state === 'released') return NOTHING;
  const { state, price, revenue } = placement;
  if (state === 'reserved') return { ...NOTHING, reserved: 1, reserved_amount: price };
  return {
    ...NOTHING,
    delivered: 1,
    spend: price,
    orders: revenue === null ? 0 : 1,
    revenue: revenue ?? 0,
  };
}

/**
 * Which placements are counted. A `product_id` of 0 means all products, a `day` of '' all days. A
 * `campaign_id` of '' means all campaigns, and exists only with a product and a day.
 */
export interface FiguresKey {
  campaign_id: string;
  product_id: number;
  day: string;
}

/** Returns everything that a placement counts in. */
export function keysOf({ campaign_id, product_id, day }: FiguresKey): FiguresKey[] {
  return [
    { campaign_id, product_id: 0, day: '' },
    { campaign_id, product_id: 0, day },
    { campaign_id, product_id, day: '' },
    { campaign_id, product_id, day },
    { campaign_id: '', product_id, day },
  ];
}

export function sum(one: PlacementFigures, other: PlacementFigures, sign: 1 | -1 = 1): PlacementFigures {
  const result = { ...NOTHING };
  for (const name of figureNames) result[name] = one[name] + sign * other[name];
  return result;
}

export function textOf({ campaign_id, product_id, day }: FiguresKey): string {
  return `${campaign_id} ${product_id} ${day}`;
}
