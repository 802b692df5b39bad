import type { FoundTable } from '../files/parsed.ts';

/** How a file is to be read, as whoever sent it has chosen. Stored with the import as JSON. */
export interface ImportReading {
  /** The sheet of a workbook. Default: the first visible one. */
  sheet?: string;
  /** What columns mean: names of our columns by header, '' for columns that are left out. */
  columns?: Record<string, string>;
  /** Whether to use what columns meant when the merchant last imported a table with the same headers. */
  usesRemembered?: true;
  /** Set if `columns` is what was remembered. */
  isRemembered?: true;
}

/** Returns what is stored; null for the defaults. */
export function renderReading(reading: ImportReading): string | null {
  return Object.keys(reading).length === 0 ? null : JSON.stringify(reading);
}

export function parseReading(stored: string | null): ImportReading {
  // Safe, because only `renderReading` writes it.
  return stored === null ? {} : (JSON.parse(stored) as ImportReading);
}

/** Only for what `StepResult` has stored. */
export function parseFound(stored: string): FoundTable {
  return JSON.parse(stored) as FoundTable;
}
