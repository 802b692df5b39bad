import { parseProduct } from '../record/product.ts';
import { sortColumns } from '../record/product-row.ts';
import type { SortField } from './listing.ts';
import type { SortKeyRow } from './queries.ts';

// JSON escapes quotes inside strings, so these bytes occur only as members. Only products have a status.
const STATUS = Buffer.from(',"status":"');
const RECORD_START = Buffer.from('{"identifier":"');

/** Returns the last record's sort key without parsing the others; undefined if the array is empty. */
export function lastKey(records: Buffer, field: SortField): SortKeyRow | undefined {
  const status = records.lastIndexOf(STATUS);
  if (status < 0) return undefined;
  const start = records.lastIndexOf(RECORD_START, status);
  const product = parseProduct(records.toString('utf8', start, records.length - 1));
  return { key: sortColumns(product)[field], internal_id: product.internal_id };
}
