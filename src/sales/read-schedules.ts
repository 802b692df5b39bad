import { type CsvColumn, columnsOf, readCells } from '../imports/csv-columns.ts';
import { isNdjson } from '../imports/is-ndjson.ts';
import { openFile } from '../imports/open-file.ts';
import type { Parsed, Rejection } from '../imports/parsed.ts';
import { type CsvRow, readCsv } from '../imports/read-csv.ts';
import { type JsonObject, readMembers, readNdjson } from '../imports/read-ndjson.ts';
import { rejection } from '../imports/refusal.ts';
import type { ScheduleDraft } from './schedule-draft.ts';
import { scheduleReaders } from './schedule-fields.ts';

export interface ReadSchedulesOptions {
  /** Told from the file's beginning where it is left out. */
  format?: 'csv' | 'ndjson' | undefined;
  /** Told how many bytes of the file have been taken so far. */
  onProgress?: ((bytes: number) => void) | undefined;
}

/** A file of schedules that is open for one reading. */
export interface ScheduleFile {
  format: 'csv' | 'ndjson';
  /** The size of the file itself, compressed or not; 0 where it cannot be known (a pipe). */
  totalBytes: number;
  /** Columns of the file that mean nothing here. */
  ignoredColumns(): string[];
  /** As `products` of `readProducts`. */
  schedules: AsyncIterable<Parsed<ScheduleDraft>[]>;
}

const needed = ['schedule_id', 'product_identifier', 'scheduled_at', 'sold', 'sale_price'];
/** What a row says where it says nothing: null is refused for the fields that are needed. */
const unsaid = Object.fromEntries([...scheduleReaders.keys()].map((name) => [name, null]));

/**
 * Opens a file of schedules, CSV or NDJSON, gzip or plain, and reads it as it is asked for, in bounded
 * memory. What was not sold has neither price nor rating: such are read, checked and left out.
 * @throws {UnusableFile} where nothing of it can be read
 */
export async function readSchedules(path: string, options: ReadSchedulesOptions = {}): Promise<ScheduleFile> {
  const file = await openFile(path, { onProgress: options.onProgress });
  try {
    const { totalBytes } = file;
    const format = options.format ?? (isNdjson(file) ? 'ndjson' : 'csv');
    if (format === 'ndjson') {
      return {
        format,
        totalBytes,
        ignoredColumns: () => [],
        schedules: readNdjson(file.text, readScheduleObject),
      };
    }
    const { columns, rows } = readCsv(file, needed);
    const ignored = columns.filter((name) => name !== '' && !scheduleReaders.has(name));
    const schedules = readScheduleRows(rows, columnsOf(columns, scheduleReaders));
    return { format, totalBytes, ignoredColumns: () => ignored, schedules };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function readScheduleObject(object: JsonObject, line: number): Parsed<ScheduleDraft> {
  const rejections: Rejection[] = [];
  const fields = readMembers<ScheduleDraft>(scheduleReaders, { ...unsaid, ...object }, line, rejections);
  return completed(fields, line, rejections);
}

async function* readScheduleRows(
  batches: AsyncIterable<CsvRow[]>,
  columns: CsvColumn<string | number | boolean | null>[],
): AsyncGenerator<Parsed<ScheduleDraft>[]> {
  for await (const rows of batches) {
    yield rows.map((row) => {
      const rejections = [...row.rejections];
      if (rejections.length > 0) return { line: row.line, rejections };
      return completed(readCells<ScheduleDraft>(columns, row, rejections), row.line, rejections);
    });
  }
}

function completed(
  fields: Partial<ScheduleDraft>,
  line: number,
  rejections: Rejection[],
): Parsed<ScheduleDraft> {
  const { schedule_id, product_identifier, scheduled_at, sold, merchant = null, sale_price = null } = fields;
  if (sold === true && fields.sale_price === null) {
    rejections.push(rejection(line, 'sale_price', null, 'expected a price, since it was sold'));
  }
  const unread = schedule_id === undefined || product_identifier === undefined || scheduled_at === undefined;
  if (rejections.length > 0 || unread || sold === undefined) return { line, rejections };
  const of = sold ? { sale_price, rating: fields.rating ?? null } : { sale_price: null, rating: null };
  return { line, item: { merchant, schedule_id, product_identifier, scheduled_at, sold, ...of } };
}
