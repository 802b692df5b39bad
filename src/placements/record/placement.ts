/** `reserved` counts against the budgets until its outcome is known. `released` costs nothing. */
export const placementStates = ['reserved', 'delivered', 'released'] as const;
export type PlacementState = (typeof placementStates)[number];

/**
 * A place that the operator gives to a product. Amounts are in units (`amounts.ts`), times in milliseconds
 * since 1970.
 */
export interface Placement {
  placement_id: string;
  campaign_id: string;
  /** The internal ID of the product. */
  product_id: number;
  /** `YYYY-MM-DD` in the merchant's time zone: when it was reserved, or delivered without a reservation. */
  day: string;
  state: PlacementState;
  /** Null if the operator decided about it. */
  bid: number | null;
  price: number;
  /** Null if the operator decided about it. */
  reserved_at: number | null;
  expires_at: number | null;
  delivered_at: number | null;
  released_at: number | null;
  /** 1 if it was delivered after its release, when no budget was left for its price; else 0. */
  late: 0 | 1;
  schedule_id: string | null;
  /** What its schedule sold for, in hundredths; null if it has none or nothing was sold. */
  revenue: number | null;
}

/** The clocks of the operator's machines may differ from ours by this much. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000;

/** Before and after every day of a placement. */
export const FIRST_DAY = '0000-00-00';
export const LAST_DAY = '9999-99-99';
