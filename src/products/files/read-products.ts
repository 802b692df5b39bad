import { openFile, type ReadingOptions } from '../../files/open-file.ts';
import type { Parsed } from '../../files/parsed.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { detectProductFormat, type ProductFormat } from './detect-format.ts';
import { readProductCsv } from './read-product-csv.ts';
import { readProductNdjson } from './read-product-ndjson.ts';
import { readShopify } from './read-shopify.ts';

interface ReadProductsOptions extends ReadingOptions {
  /** By default, detected from the beginning of the file. */
  format?: ProductFormat | undefined;
}

/** An open product file. It can be read once. */
export interface ProductFile {
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
 * Opens a product file, gzip or plain, and reads it on demand in bounded memory.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function readProducts(path: string, options: ReadProductsOptions = {}): Promise<ProductFile> {
  const file = await openFile(path, options);
  try {
    const format = options.format ?? detectProductFormat(file);
    const { totalBytes, close } = file;
    if (format === 'ndjson') {
      return { format, totalBytes, ignoredColumns: () => [], products: readProductNdjson(file.text), close };
    }
    const { ignoredColumns, products } = format === 'csv' ? readProductCsv(file) : readShopify(file);
    return { format, totalBytes, ignoredColumns: () => ignoredColumns, products, close };
  } catch (error) {
    await file.close();
    throw error;
  }
}
