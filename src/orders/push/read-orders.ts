import { fieldColumns, readCells } from '../../files/csv-columns.ts';
import { isNdjson } from '../../files/is-ndjson.ts';
import { openFile } from '../../files/open-file.ts';
import type { Parsed, Rejection } from '../../files/parsed.ts';
import { readCsv } from '../../files/read-csv.ts';
import { type JsonObject, readMembers, readNdjson } from '../../files/read-ndjson.ts';
import { draftReaders, type ReadOrder } from './draft-readers.ts';
import { customerFields, type OrderDraft } from './order-draft.ts';

interface ReadOrdersOptions {
  /** By default, detected from the beginning of the file. */
  format?: 'csv' | 'ndjson' | undefined;
  /** Called with the number of bytes of the file that were read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** The sheet of a workbook. Default: the first visible one. */
  sheet?: string | undefined;
}

interface OrderFile {
  format: 'csv' | 'ndjson';
  /** The size of the file itself, compressed or not; 0 for a pipe. */
  totalBytes: number;
  ignoredColumns(): string[];
  orders: AsyncIterable<Parsed<OrderDraft>[]>;
  /** Closes the file, unless it is already closed. */
  close(): Promise<void>;
}

/**
 * Opens a file of orders, CSV or NDJSON, gzip or plain, or a workbook, and reads it on demand in bounded
 * memory.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function readOrders(path: string, options: ReadOrdersOptions = {}): Promise<OrderFile> {
  const { onProgress, sheet } = options;
  const file = await openFile(path, { onProgress, sheet });
  try {
    const { totalBytes, close } = file;
    const format = options.format ?? (isNdjson(file) ? 'ndjson' : 'csv');
    if (format === 'ndjson')
      return { format, totalBytes, ignoredColumns: () => [], orders: readOrderNdjson(file.text), close };
    const ignoredOf = (names: string[]): string[] =>
      names.filter((name) => name !== '' && draftReaders.get(name) == null);
    const { columns, rows } = readCsv(file, ['external_id'], ignoredOf);
    const ignored = ignoredOf(columns);
    const fields = fieldColumns(columns, draftReaders);
    const orders = async function* (): AsyncGenerator<Parsed<OrderDraft>[]> {
      for await (const batch of rows) {
        yield batch.map((row) => {
          const rejections = [...row.rejections];
          if (rejections.length > 0) return { line: row.line, rejections };
          return toParsed(readCells<ReadOrder>(fields, row, rejections), row.line, rejections);
        });
      }
    };
    return { format, totalBytes, ignoredColumns: () => ignored, orders: orders(), close };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads one JSON object per line. Rejects an invalid line. */
export function readOrderNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<OrderDraft>[]> {
  return readNdjson(chunks, readOrderObject);
}

function readOrderObject(object: JsonObject, line: number): Parsed<OrderDraft> {
  const rejections: Rejection[] = [];
  const fields = readMembers<ReadOrder>(draftReaders, { external_id: null, ...object }, line, rejections);
  return toParsed(fields, line, rejections);
}

function toParsed(
  { merchant = null, external_id, customer_hidden: isHidden = false, refunds, ...fields }: Partial<ReadOrder>,
  line: number,
  rejections: Rejection[],
): Parsed<OrderDraft> {
  if (rejections.length > 0 || external_id === undefined) return { line, rejections };
  if (isHidden) for (const name of customerFields) delete fields[name];
  return { line, item: { merchant, external_id, ...fields, ...(refunds && { has_refunds: true }) } };
}
