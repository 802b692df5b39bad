import { type Statement, statement } from '../../database/database.ts';
import { figureNames, type PlacementFigures } from '../record/placement.ts';

/** Days from `from` to `to`. */
interface Range {
  merchantId: number;
  campaignId: string;
  from: string;
  to: string;
}

type Sums = Omit<PlacementFigures, 'reserved' | 'reserved_amount'>;

const summed = figureNames.filter((name) => !name.startsWith('reserved'));
const sums = summed.map((name) => `CAST(sum(f.${name}) AS bigint) AS ${name}`).join(', ');
const inRange = `f.merchant_id = :merchantId AND f.campaign_id = :campaignId AND f.day BETWEEN :from AND :to`;

/** Of a product, or of all of them (0). All sums are null without placements. */
export const sumRange = statement<Range & { productId: number }, { [Name in keyof Sums]: number | null }>(
  `SELECT ${sums} FROM placement_figures f WHERE ${inRange} AND f.product_id = :productId`,
);

/** Oldest first. */
export const sumByDay = statement<Range, Sums & { day: string }>(
  `SELECT f.day, ${summed.map((name) => `f.${name}`).join(', ')} FROM placement_figures f
   WHERE ${inRange} AND f.product_id = 0 AND f.delivered > 0 ORDER BY f.day`,
);

type ByProduct = Statement<Range & { limit: number; offset: number }, Sums & { identifier: string }>;

/** The highest spend first. The plus sign keeps SQLite from reading all products first. */
export const sumByProduct: ByProduct = statement(
  `SELECT x.identifier, s.delivered, s.spend, s.orders, s.revenue
   FROM (SELECT +f.product_id AS product_id, ${sums} FROM placement_figures f
     WHERE ${inRange} AND f.product_id > 0 GROUP BY +f.product_id) AS s
   CROSS JOIN products x WHERE x.merchant_id = :merchantId AND x.internal_id = s.product_id
     AND s.delivered > 0
   ORDER BY s.spend DESC, x.identifier LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)`,
);
