import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { insertInto, statement, updateIn, upsertInto } from '../../database/statement.ts';
import { type FiguresKey, figureNames, type PlacementFigures } from './figures.ts';
import type { Placement } from './placement.ts';

/** `revision` is 0 from a change until it is listed. */
export interface PlacementRow extends Placement {
  merchant_id: number;
  revision: number;
}

const changingColumns = [
  'campaign_id',
  'product_id',
  'day',
  'state',
  'bid',
  'price',
  'reserved_at',
  'expires_at',
  'delivered_at',
  'released_at',
  'late',
  'schedule_id',
  'revenue',
] as const satisfies (keyof Placement)[];

export const placementColumns = ['placement_id', ...changingColumns].map((name) => `p.${name}`).join(', ');

/** For `lookUp`. */
export const findPlacementsByIds = statement<Lookup<string>, Placement>(
  `SELECT ${placementColumns} FROM placements p
   WHERE p.merchant_id = :merchantId AND p.placement_id IN (${namesPlaceholder})`,
);

export const insertPlacement = insertInto<PlacementRow>('placements', [
  'merchant_id',
  'placement_id',
  ...changingColumns,
  'revision',
]);

export const updatePlacement = updateIn<PlacementRow>(
  'placements',
  ['merchant_id', 'placement_id'],
  [...changingColumns, 'revision'],
);

/** What a schedule has of its placement. The price is in hundredths. */
export interface TiedScheduleRow {
  schedule_id: string;
  placement_id: string | null;
  product_id: number;
  sold: number;
  sale_price: number | null;
}

export type FiguresRow = FiguresKey & PlacementFigures;

const names = figureNames.join(', ');

export interface FiguresOf {
  merchantId: number;
  campaignId: string;
  products: readonly number[];
  days: readonly string[];
}

export const listFigures = statement<FiguresOf, FiguresRow & { announced: number }>(
  `SELECT campaign_id, product_id, day, ${names}, announced FROM placement_figures
   WHERE merchant_id = :merchantId AND campaign_id = :campaignId AND product_id IN (:products[20])
     AND day IN (:days[20])`,
);

export const addToFigures = upsertInto<FiguresRow & { merchant_id: number }>(
  'placement_figures',
  ['merchant_id', 'campaign_id', 'product_id', 'day'],
  figureNames,
  `DO UPDATE SET ${figureNames.map((name) => `${name} = placement_figures.${name} + excluded.${name}`).join(', ')}`,
);

/** A product on a day. */
export interface ProductDay {
  merchantId: number;
  productId: number;
  day: string;
}

/** Of all campaigns. Locks them until the transaction ends, if they exist. */
export const lockProductDay = statement<ProductDay, Pick<PlacementFigures, 'reserved' | 'delivered'>>(
  `SELECT reserved, delivered FROM placement_figures
   WHERE merchant_id = :merchantId AND campaign_id = '' AND product_id = :productId AND day = :day`,
  { locks: true },
);

/** Changes nothing if they exist. */
export const insertFigures = upsertInto<FiguresKey & { merchant_id: number }>(
  'placement_figures',
  ['merchant_id', 'campaign_id', 'product_id', 'day'],
  [],
  'DO NOTHING',
);

/**
 * With a day: 1 once its `campaign.daily_budget_spent` was sent. With all days: the lifetime budget, in
 * units, for which `campaign.low_budget` was sent.
 */
export const setAnnounced = statement<
  { merchantId: number; campaignId: string; day: string; announced: number },
  never
>(
  `UPDATE placement_figures SET announced = :announced
   WHERE merchant_id = :merchantId AND campaign_id = :campaignId AND product_id = 0 AND day = :day`,
);

/** For `lookUp`. */
export const findTies = statement<Lookup<string>, TiedScheduleRow>(
  `SELECT schedule_id, placement_id, product_id, sold, sale_price FROM schedules
   WHERE merchant_id = :merchantId AND schedule_id IN (${namesPlaceholder})`,
);

/** For `lookUp`. */
export const findPlacementIds = statement<Lookup<string>, { placement_id: string }>(
  `SELECT placement_id FROM placements
   WHERE merchant_id = :merchantId AND placement_id IN (${namesPlaceholder})`,
);
