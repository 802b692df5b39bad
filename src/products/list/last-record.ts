import { parseProduct } from '../record/product.ts';
import { sortColumns } from '../record/product-row.ts';
import type { SortField } from './listing.ts';
import type { SortKeyRow } from './queries.ts';

// Quotes inside strings are escaped, so these bytes are nowhere but at the beginning of a record. Only products have a
// status; variations, which are inside of them, have none.
const STATUS = Buffer.from(',"status":"');
const RECORD_START = Buffer.from('{"identifier":"');

/**
 * Returns the sort key and the id of the last product in a JSON array of records, without parsing the others. Undefined if
 * the array is empty.
 */
export function lastKey(records: Buffer, field: SortField): SortKeyRow | undefined {
  const status = records.lastIndexOf(STATUS);
  if (status < 0) return undefined;
  const start = records.lastIndexOf(RECORD_START, status);
  const product = parseProduct(records.toString('utf8', start, records.length - 1));
  return { key: sortColumns(product)[field], internal_id: product.internal_id };
}
