import type { Reader } from '../database/database.ts';
import type { Duration } from '../sales/periods.ts';
import type { Figure } from '../shared/figure.ts';

/** What selects the value of a figure. Each figure takes some of these. */
export interface FigureSelection {
  month?: string | undefined;
  product_identifier?: string | undefined;
  duration?: Duration | undefined;
  internal_id?: string | undefined;
  name?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
export type Selector = keyof FigureSelection;

/** Where a value is read, in one state of the data. */
export interface FigureSource {
  reader: Reader;
  merchantId: number;
  timeZone: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** A value, and the lines that it is computed from. */
export interface FoundFigure {
  value: number | null;
  /** How many lines there are. */
  lines: number;
  /** The path of the list, below the base path, and the parameters that select the lines. */
  path: string;
  query: Readonly<Record<string, string | undefined>>;
}

/** A figure with what selects its value. */
export interface ExplainedFigure {
  figure: Figure;
  required: readonly Selector[];
  optional: readonly Selector[];
  /** @throws {DomainError} if what a selector names does not exist */
  find(source: FigureSource, selection: FigureSelection): Promise<FoundFigure>;
}

/** The figures of a record, which are found alike. */
interface FigureGroup<Field extends string> {
  figures: Readonly<Record<Field, Figure>>;
  required: readonly Selector[];
  optional: readonly Selector[];
  find(source: FigureSource, selection: FigureSelection, field: Field): Promise<FoundFigure>;
}

export function explainedFigures<Field extends string>({
  figures,
  required,
  optional,
  find,
}: FigureGroup<Field>): ExplainedFigure[] {
  return (Object.keys(figures) as Field[]).map((field) => ({
    figure: figures[field],
    required,
    optional,
    find: (source, selection) => find(source, selection, field),
  }));
}
