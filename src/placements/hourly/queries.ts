import { statement, upsertInto } from '../../database/statement.ts';

/** The placements that requests reserved in an hour, which begins at `hour`. */
export interface HourlyRow {
  hour: number;
  currency: string;
  /** The first level of the category that was asked for; '' for any. */
  category: string;
  /** In units, rounded (`diagnosis/rounding.ts`). */
  price: number;
  placements: number;
  /** The sum of the exact prices, in units. */
  amount: number;
}

export const addToHourlyPlacements = upsertInto<HourlyRow>(
  'placement_hours',
  ['hour', 'currency', 'category', 'price'],
  ['placements', 'amount'],
  `DO UPDATE SET placements = placement_hours.placements + excluded.placements,
     amount = placement_hours.amount + excluded.amount`,
);

type Sums = Pick<HourlyRow, 'currency' | 'placements' | 'amount'>;

const sumsBy = <Column extends 'hour' | 'category' | 'price'>(column: Column) =>
  statement<{ since: number }, Sums & Pick<HourlyRow, Column>>(
    `SELECT currency, ${column}, CAST(sum(placements) AS bigint) AS placements,
       CAST(sum(amount) AS bigint) AS amount
     FROM placement_hours WHERE hour >= :since GROUP BY currency, ${column} ORDER BY currency, ${column}`,
    { offLoop: true },
  );

export const sumByHour = sumsBy('hour');
export const sumByCategory = sumsBy('category');
export const sumByPrice = sumsBy('price');

export const deleteHourlyPlacements = statement<{ before: number }, never>(
  'DELETE FROM placement_hours WHERE hour < :before',
);
