import { openFile, type ReadingOptions } from '../../files/open-file.ts';
import type { FoundTable, Parsed } from '../../files/parsed.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { detectProductFormat, type ProductFormat } from './detect-format.ts';
import { readOwnNdjson } from './read-own-ndjson.ts';
import { readProductCsv } from './read-product-csv.ts';
import { readProductNdjson } from './read-product-ndjson.ts';
import { readShopify } from './read-shopify.ts';

interface ReadProductsOptions extends ReadingOptions {
  /** By default, detected from the beginning of the file. */
  format?: ProductFormat | undefined;
  /** What columns of a table mean: names of our columns by header, '' for columns that are left out. */
  columns?: Readonly<Record<string, string>> | undefined;
  /** Whether the service itself has written the file: see `readOwnNdjson`. */
  isOwn?: boolean;
}

/** An open product file. It can be read once. */
export interface ProductFile extends FoundTable {
  format: ProductFormat;
  /** The size of the file itself, compressed or not; 0 for a pipe. */
  totalBytes: number;
  ignoredColumns(): string[];
  /**
   * Batches of up to 500. Closes the file when reading ends or stops. Throws `UnusableFile` at a damaged
   * part, after all products before it.
   */
  products: AsyncIterable<Parsed<ProductDraft>[]>;
  close(): Promise<void>;
}

/**
 * Opens a product file, gzip or plain, or a workbook, and reads it on demand in bounded memory.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function readProducts(path: string, options: ReadProductsOptions = {}): Promise<ProductFile> {
  const columnNames = new Map(Object.entries(options.columns ?? {}));
  const file = { ...(await openFile(path, options)), columnNames };
  try {
    const { totalBytes, close, sheet } = file;
    const opened = { totalBytes, sheet: sheet && { name: sheet.name, names: sheet.names }, close };
    if (sheet !== undefined && sheet.columns === undefined)
      return { ...opened, format: 'csv', ignoredColumns: () => [], products: noProducts() };
    const format = options.format ?? detectProductFormat(file);
    if (format === 'ndjson') {
      const read = options.isOwn === true ? readOwnNdjson : readProductNdjson;
      return { ...opened, format, ignoredColumns: () => [], products: read(file.text) };
    }
    const { ignoredColumns, products } = format === 'csv' ? readProductCsv(file) : readShopify(file);
    const read = columnNames.size === 0 ? products : withHeaders(products, columnNames);
    return { ...opened, format, ignoredColumns: () => ignoredColumns, products: read };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Names the columns of rejected values as the file does. */
async function* withHeaders(
  batches: AsyncIterable<Parsed<ProductDraft>[]>,
  columnNames: ReadonlyMap<string, string>,
): AsyncGenerator<Parsed<ProductDraft>[]> {
  const headers = new Map([...columnNames].map(([header, name]) => [name, header]));
  const named = (column: string | null): string | null =>
    column === null ? null : (headers.get(column) ?? column);
  for await (const batch of batches) {
    yield batch.map((parsed) =>
      'item' in parsed
        ? parsed
        : { ...parsed, rejections: parsed.rejections.map((one) => ({ ...one, column: named(one.column) })) },
    );
  }
}

/** For a workbook of which only the start was read. */
async function* noProducts(): AsyncGenerator<Parsed<ProductDraft>[]> {}
