import { type CsvColumn, fieldColumns, readCells } from '../files/csv-columns.ts';
import type { CsvRow } from '../files/csv-row-reader.ts';
import { isNdjson } from '../files/is-ndjson.ts';
import { openFile } from '../files/open-file.ts';
import { type Parsed, type Rejection, rejection } from '../files/parsed.ts';
import { readCsv } from '../files/read-csv.ts';
import { type JsonObject, readMembers, readNdjson } from '../files/read-ndjson.ts';
import type { ScheduleDraft } from './schedule-draft.ts';
import { scheduleReaders } from './schedule-fields.ts';

interface ReadSchedulesOptions {
  /** By default, detected from the beginning of the file. */
  format?: 'csv' | 'ndjson' | undefined;
  /** Called with the number of bytes of the file that were read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** The sheet of a workbook. Default: the first visible one. */
  sheet?: string | undefined;
}

interface ScheduleFile {
  format: 'csv' | 'ndjson';
  /** The size of the file itself, compressed or not; 0 for a pipe. */
  totalBytes: number;
  ignoredColumns(): string[];
  /** Like `products` of `readProducts`. */
  schedules: AsyncIterable<Parsed<ScheduleDraft>[]>;
  /** Closes the file, unless it is already closed. */
  close(): Promise<void>;
}

const requiredColumns = ['schedule_id', 'product_identifier', 'scheduled_at', 'sold', 'sale_price'];
/** Without them, a stored schedule keeps its values. */
const keptFields = ['variation_identifier', 'order_id', 'placement_id'];
/** The values of missing fields. Null is invalid for required fields. */
const missingFields = Object.fromEntries(
  [...scheduleReaders.keys()].filter((name) => !keptFields.includes(name)).map((name) => [name, null]),
);

/**
 * Opens a file of schedules, CSV or NDJSON, gzip or plain, or a workbook, and reads it on demand in bounded
 * memory. The price and the rating of a schedule that did not sell are validated and dropped.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function readSchedules(path: string, options: ReadSchedulesOptions = {}): Promise<ScheduleFile> {
  const { onProgress, sheet } = options;
  const file = await openFile(path, { onProgress, sheet });
  try {
    const { totalBytes, close } = file;
    const format = options.format ?? (isNdjson(file) ? 'ndjson' : 'csv');
    if (format === 'ndjson') {
      return {
        format,
        totalBytes,
        ignoredColumns: () => [],
        schedules: readScheduleNdjson(file.text),
        close,
      };
    }
    const ignoredOf = (names: string[]): string[] =>
      names.filter((name) => name !== '' && !scheduleReaders.has(name));
    const { columns, rows } = readCsv(file, requiredColumns, ignoredOf);
    const ignored = ignoredOf(columns);
    const schedules = readScheduleRows(rows, fieldColumns(columns, scheduleReaders));
    return { format, totalBytes, ignoredColumns: () => ignored, schedules, close };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads one JSON object per line. Rejects an invalid line. */
export function readScheduleNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<ScheduleDraft>[]> {
  return readNdjson(chunks, readScheduleObject);
}

function readScheduleObject(object: JsonObject, line: number): Parsed<ScheduleDraft> {
  const rejections: Rejection[] = [];
  const fields = readMembers<ScheduleDraft>(
    scheduleReaders,
    { ...missingFields, ...object },
    line,
    rejections,
  );
  return toParsed(fields, line, rejections);
}

async function* readScheduleRows(
  batches: AsyncIterable<CsvRow[]>,
  columns: CsvColumn<string | number | boolean | null>[],
): AsyncGenerator<Parsed<ScheduleDraft>[]> {
  for await (const rows of batches) {
    yield rows.map((row) => {
      const rejections = [...row.rejections];
      if (rejections.length > 0) return { line: row.line, rejections };
      return toParsed(readCells<ScheduleDraft>(columns, row, rejections), row.line, rejections);
    });
  }
}

/** Returns the rejections if a field is invalid or missing. */
function toParsed(
  fields: Partial<ScheduleDraft>,
  line: number,
  rejections: Rejection[],
): Parsed<ScheduleDraft> {
  const { schedule_id, product_identifier, scheduled_at, sold, merchant = null, sale_price = null } = fields;
  const { variation_identifier, order_id, placement_id } = fields;
  if (sold === true && fields.sale_price === null) {
    rejections.push(rejection(line, 'sale_price', null, 'expected a price, because the schedule sold'));
  }
  const isIncomplete =
    schedule_id === undefined || product_identifier === undefined || scheduled_at === undefined;
  if (rejections.length > 0 || isIncomplete || sold === undefined) return { line, rejections };
  const result = sold ? { sale_price, rating: fields.rating ?? null } : { sale_price: null, rating: null };
  const names = { merchant, schedule_id, product_identifier, variation_identifier };
  return { line, item: { ...names, scheduled_at, sold, ...result, order_id, placement_id } };
}
