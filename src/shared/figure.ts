/** `amount` is in the currency's major unit, for example dollars; `rating` is from 0 to 5. */
export const figureUnits = ['count', 'amount', 'ratio', 'rating'] as const;
export type FigureUnit = (typeof figureUnits)[number];

/** The list that the lines of a figure are in. */
export type LineList = 'schedules' | 'placements' | 'products' | 'orders';

/** How a number of a response is computed from the lines of a list. */
export interface Computation {
  /** In words, with the fields of the lines in backquotes. */
  formula: string;
  unit: FigureUnit;
  /** The decimals that it is rounded to, half up; undefined if it is exact. */
  decimals?: number;
  lines: LineList;
}

/** A number of a response that `explain` explains. */
export interface Figure extends Computation {
  /** The name of the group and the field, for example `sales.asp`. */
  name: string;
}

/** The figures of a record, by the names of its fields. */
export type Figures<Field extends string = string> = Readonly<Record<Field, Figure>>;

/** Names the figures of a record after a group and the record's fields. */
export function defineFigures<Field extends string>(
  group: string,
  computations: Readonly<Record<Field, Computation>>,
): Figures<Field> {
  const named = Object.entries<Computation>(computations).map(([field, computation]) => [
    field,
    { name: `${group}.${field}`, ...computation },
  ]);
  return Object.fromEntries(named) as Figures<Field>;
}
