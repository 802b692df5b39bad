import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { type Statement, statement } from '../../database/statement.ts';
import { figureNames, type PlacementFigures } from '../record/figures.ts';

/** Days from `from` to `to` of a campaign, or of `ALL_CAMPAIGNS`. */
interface Range {
  merchantId: number;
  campaignId: string;
  from: string;
  to: string;
}

type Sums = Omit<PlacementFigures, 'reserved' | 'reserved_amount'>;

/** Figures of a product on a day, over all campaigns, are stored without a campaign. */
export const ALL_CAMPAIGNS = '';

const summed = figureNames.filter((name) => !name.startsWith('reserved'));
const sums = summed.map((name) => `CAST(sum(f.${name}) AS bigint) AS ${name}`).join(', ');
const inRange = `f.merchant_id = :merchantId AND f.campaign_id = :campaignId AND f.day BETWEEN :from AND :to`;

type SumOfRange<Of = Range> = Statement<Of, { [Name in keyof Sums]: number | null }>;
type SumsByDay = Statement<Range, Sums & { day: string }>;

/** Of a product, or of all of them (0). The sums are null without placements. */
export const sumRange: SumOfRange<Range & { productId: number }> = statement(
  `SELECT ${sums} FROM placement_figures f WHERE ${inRange} AND f.product_id = :productId`,
);
/** As `sumRange`, of `ALL_CAMPAIGNS`. */
export const sumRangeOfAll: SumOfRange = statement(
  `SELECT ${sums} FROM placement_figures f WHERE ${inRange}`,
);

/** Finds what the placements of campaigns add up to on all days. */
export const findTotals = statement<Lookup<string>, Sums & { campaign_id: string }>(
  `SELECT f.campaign_id, ${summed.map((name) => `f.${name}`).join(', ')} FROM placement_figures f
   WHERE f.merchant_id = :merchantId AND f.campaign_id IN (${namesPlaceholder})
     AND f.product_id = 0 AND f.day = ''`,
);

/** Oldest first. */
export const sumByDay: SumsByDay = statement(
  `SELECT f.day, ${summed.map((name) => `f.${name}`).join(', ')} FROM placement_figures f
   WHERE ${inRange} AND f.product_id = 0 AND f.delivered > 0 ORDER BY f.day`,
);
/** As `sumByDay`, of `ALL_CAMPAIGNS`. */
export const sumByDayOfAll: SumsByDay = statement(
  `SELECT f.day, ${sums} FROM placement_figures f WHERE ${inRange}
   GROUP BY f.day HAVING sum(f.delivered) > 0 ORDER BY f.day`,
);

type ByProduct = Statement<Range & { limit: number; offset: number }, Sums & { identifier: string }>;

/** Products without spend have no return, and come last. */
const returned = (direction: 'ASC' | 'DESC'): string =>
  `CASE WHEN s.spend = 0 THEN 1 ELSE 0 END,
   CAST(s.revenue AS double precision) / CASE WHEN s.spend = 0 THEN 1 ELSE s.spend END ${direction}`;

/** The plus sign keeps SQLite from reading all products first. */
const byProduct = (order: string): ByProduct =>
  statement(
    `SELECT x.identifier, s.delivered, s.spend, s.orders, s.revenue
     FROM (SELECT +f.product_id AS product_id, ${sums} FROM placement_figures f
       WHERE ${inRange} AND f.product_id > 0 GROUP BY +f.product_id) AS s
     CROSS JOIN products x WHERE x.merchant_id = :merchantId AND x.internal_id = s.product_id
       AND s.delivered > 0
     ORDER BY ${order}, x.identifier LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)`,
  );

export const sumByProduct = {
  spend_descending: byProduct('s.spend DESC'),
  return_on_spend_descending: byProduct(returned('DESC')),
  return_on_spend_ascending: byProduct(returned('ASC')),
};

const WEEK_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
type WeekDay = `week_${(typeof WEEK_DAYS)[number]}`;

/** What a merchant's placements cost, in units, on days of its calendar; `week_0` is the week's first day. */
export interface RecentSpendRow extends Record<WeekDay, number> {
  merchant_id: number;
  today: number;
  day: number;
  day_before: number;
  week: number;
  week_before: number;
}

const spendOn = (name: string, condition: string): string =>
  `CAST(coalesce(sum(CASE WHEN ${condition} THEN f.spend END), 0) AS bigint) AS ${name}`;

/**
 * Adds up what delivered placements cost each merchant with placements: on `today`, on the day before
 * (`day`), on the seven days from `week` to that and on each of them, and in the same periods before.
 */
export const sumRecentSpend = statement<
  { today: string; day: string; dayBefore: string; week: string; weekBefore: string } & Record<
    WeekDay,
    string
  >,
  RecentSpendRow
>(
  `SELECT f.merchant_id, ${spendOn('today', 'f.day = :today')}, ${spendOn('day', 'f.day = :day')},
     ${spendOn('day_before', 'f.day = :dayBefore')},
     ${spendOn('week', 'f.day >= :week AND f.day < :today')},
     ${spendOn('week_before', 'f.day < :week')},
     ${WEEK_DAYS.map((day) => spendOn(`week_${day}`, `f.day = :week_${day}`)).join(', ')}
   FROM campaigns c CROSS JOIN placement_figures f
   WHERE c.merchant_id > 0 AND f.merchant_id = c.merchant_id AND f.campaign_id = c.id
     AND f.product_id = 0 AND f.day >= :weekBefore AND f.day <= :today
   GROUP BY f.merchant_id`,
  { everyNode: true, offLoop: true, planEachTime: true },
);
