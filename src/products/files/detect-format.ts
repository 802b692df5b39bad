import { readHeaderCells } from '../../files/csv-header.ts';
import { isNdjson } from '../../files/is-ndjson.ts';
import type { OpenFile } from '../../files/open-file.ts';

export const productFormats = ['csv', 'ndjson', 'shopify'] as const;
export type ProductFormat = (typeof productFormats)[number];

/**
 * Detects the format of a product file from its beginning, regardless of its name.
 * @throws {UnusableFile} if it has no header line or is one JSON array
 */
export function detectProductFormat(file: Pick<OpenFile, 'path' | 'start' | 'columnNames'>): ProductFormat {
  if (isNdjson(file)) return 'ndjson';
  const { columns } = readHeaderCells(file);
  return columns.includes('Handle') && columns.includes('Title') ? 'shopify' : 'csv';
}
