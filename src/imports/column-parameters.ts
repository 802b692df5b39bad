import type { ParameterType } from '../http/parameters/types.ts';
import { isImportColumn } from '../products/files/import-columns.ts';
import type { ImportReading } from './import-reading.ts';

const MAX_COLUMNS = 1_000;
/** Of a header. Names of fields are shorter. */
const MAX_NAME = 1_000;
const MAX_TEXT = 200_000;

/** What columns of a file mean, as JSON: an object of names of our columns, or '' for none, by header. */
export const columnNames: ParameterType<NonNullable<ImportReading['columns']>> = {
  expected:
    'a JSON object that gives, for headers of the file, a column of our format such as title, or "" to ignore it',
  schema: { type: 'string' },
  isNested: true,
  read: ({ text }) => {
    if (text.length > MAX_TEXT) return undefined;
    const value = parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value as Record<string, unknown>);
    if (entries.length > MAX_COLUMNS) return undefined;
    const columns: [string, string][] = [];
    for (const [header, column] of entries) {
      if (header === '' || header.length > MAX_NAME || typeof column !== 'string') return undefined;
      if (column !== '' && !isImportColumn(column)) return undefined;
      columns.push([header, column]);
    }
    return Object.fromEntries(columns);
  },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
