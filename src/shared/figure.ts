/** `amount` is in the currency's major unit, for example dollars; `rating` is from 0 to 5. */
export const figureUnits = ['count', 'amount', 'ratio', 'rating'] as const;
export type FigureUnit = (typeof figureUnits)[number];

/** The list that the lines of a figure are in. */
export type LineList = 'schedules' | 'placements' | 'products' | 'orders';

/** A number of a response, and how it is computed from the lines of a list. */
export interface Figure {
  /** The kind of its record and its field. */
  name: string;
  /** In words, with the fields of the lines in backquotes. */
  formula: string;
  unit: FigureUnit;
  /** The decimals that it is rounded to, half up; undefined if it is exact. */
  decimals?: number;
  lines: LineList;
}
