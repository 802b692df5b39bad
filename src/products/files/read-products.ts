import { openFile, type ReadingOptions } from '../../imports/open-file.ts';
import type { Parsed } from '../../imports/parsed.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { detectProductFormat, type ProductFormat } from './detect-format.ts';
import { readProductCsv } from './read-product-csv.ts';
import { readProductNdjson } from './read-product-ndjson.ts';
import { readShopify } from './read-shopify.ts';

export interface ReadProductsOptions extends ReadingOptions {
  /** Told from the file's beginning where it is left out. */
  format?: ProductFormat | undefined;
}

/** A product file that is open for one reading. */
export interface ProductFile {
  format: ProductFormat;
  /** The size of the file itself, compressed or not; 0 where it cannot be known (a pipe). */
  totalBytes: number;
  /** Columns of the file that mean nothing here. */
  ignoredColumns(): string[];
  /**
   * The products, in batches of up to 500. To be read once, to its end or left with `break`: that closes
   * the file. Throws `UnusableFile` where the file is damaged, after what stands before.
   */
  products: AsyncIterable<Parsed<ProductDraft>[]>;
}

/**
 * Opens a product file, gzip or plain, and reads it as it is asked for, in bounded memory.
 * @throws {UnusableFile} where nothing of it can be read
 */
export async function readProducts(path: string, options: ReadProductsOptions = {}): Promise<ProductFile> {
  const file = await openFile(path, options);
  try {
    const format = options.format ?? detectProductFormat(file);
    const { totalBytes } = file;
    if (format === 'ndjson') {
      return { format, totalBytes, ignoredColumns: () => [], products: readProductNdjson(file.text) };
    }
    const { ignoredColumns, products } = format === 'csv' ? readProductCsv(file) : readShopify(file);
    return { format, totalBytes, ignoredColumns: () => ignoredColumns, products };
  } catch (error) {
    await file.close();
    throw error;
  }
}
