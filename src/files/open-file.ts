import { constants, type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../shared/error-message.ts';
import { gunzip, isGzip, limitSize } from './gunzip.ts';
import { UnusableFile } from './parsed.ts';
import { openWorkbook, type Sheet } from './workbook/open-workbook.ts';

const CHUNK_BYTES = 256 * 1024;
/** Enough to contain the header line, from which the format is detected. */
export const START_BYTES = 64 * 1024;
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** Files of Office before 2007, and encrypted ones of today. */
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const OLD_WORKBOOK =
  'This is an Excel workbook in the old format (.xls), or one with a password. Save it as .xlsx without a password, ' +
  'or save the sheet as CSV (UTF-8)';
const PACKED_ARCHIVE = 'This is a gzipped ZIP archive. Unpack it with gunzip, then upload the file';
const PIPED_WORKBOOK = 'An Excel workbook cannot be read from a pipe; expected the name of a file';

/** An open file of UTF-8 text, or a workbook, which can be read once. */
export interface OpenFile {
  /** As the caller gave it; messages about the file begin with it. */
  path: string;
  /** The size of the file itself, compressed or not; 0 for a pipe. */
  totalBytes: number;
  /**
   * Unpacked and without a byte order mark: at least 64 KiB, or the whole text. Of a workbook, the header row
   * as CSV.
   */
  start: Buffer;
  /**
   * The whole text, including `start`. Closes the file when reading ends or stops. Throws `UnusableFile` at a
   * damaged part, after everything before it.
   */
  text: AsyncIterable<Buffer>;
  /** The sheet of a workbook, which is read instead of the text. */
  sheet?: Sheet;
  /** The names of columns by header, for headers with other names; '' for columns that are left out. */
  columnNames?: ReadonlyMap<string, string> | undefined;
  /** Closes the file, unless it is already closed. Needed if reading the text may never start. */
  close(): Promise<void>;
}

export interface ReadingOptions {
  /** Called with the number of bytes of the file itself that were read so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** Awaited before each chunk of the unpacked text, with its bytes. */
  beforeChunk?: ((bytes: number) => Promise<void>) | undefined;
  /** If the file unpacks to more bytes, reading it throws as for a damaged file. Default: no limit. */
  maximumBytes?: number | undefined;
  /** The sheet of a workbook. Default: the first visible one. */
  sheet?: string | undefined;
  /** Whether the rows of a workbook will not be read: see `openWorkbook`. */
  startOnly?: boolean | undefined;
}

/**
 * Opens a text file, gzip or plain, or an Excel workbook, whatever its name. Uses bounded memory, and reads
 * only on demand.
 * @throws {UnusableFile} if the file does not exist, is not readable, is empty, or is neither UTF-8 text nor
 *   a workbook
 */
export async function openFile(path: string, options: ReadingOptions = {}): Promise<OpenFile> {
  const { onProgress, beforeChunk, maximumBytes = Number.POSITIVE_INFINITY } = options;
  const handle = await openForReading(path);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new UnusableFile(`${path}: A directory; expected a file`);
    const raw = await takeStart(readChunks(path, handle, onProgress), OLD_OFFICE.length);
    if (startsWith(raw.start, ZIP)) {
      if (!stats.isFile()) throw new UnusableFile(`${path}: ${PIPED_WORKBOOK}`);
      await handle.close();
      return await openSheet(path, stats.size, { ...options, maximumBytes });
    }
    const unpacked = isGzip(raw.start)
      ? await takeStart(limitSize(maximumBytes, path, gunzip(path, raw.all)), START_BYTES)
      : undefined;
    const { start, all } = unpacked ?? (await takeStart(raw.all, START_BYTES));
    const text = withoutByteOrderMark(path, start);
    return {
      path,
      totalBytes: stats.size,
      start: text,
      text: closing(handle, all, start.length - text.length, beforeChunk),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openSheet(
  path: string,
  totalBytes: number,
  { onProgress, ...options }: ReadingOptions & { maximumBytes: number },
): Promise<OpenFile> {
  const sheet = await openWorkbook(path, {
    ...options,
    onProgress: (fraction) => onProgress?.(Math.floor(fraction * totalBytes)),
  });
  // All quoted, so that no header looks like JSON or has delimiters.
  const header = (sheet.columns ?? []).map((name) => `"${name.replaceAll('"', '""')}"`);
  const start = Buffer.from(`${header.join(',')}\n`);
  return { path, totalBytes, start, text: noText(path), sheet, close: async () => sheet.close() };
}

async function* noText(path: string): AsyncGenerator<Buffer> {
  yield await Promise.reject<Buffer>(new UnusableFile(`${path}: This is an Excel workbook; expected text`));
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    throw new UnusableFile(`${path}: ${describeReadError(error)}`);
  }
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'File not found';
  if (code === 'EACCES' || code === 'EPERM') return 'Permission denied; make the file readable';
  return `The file cannot be read (${messageOf(error)})`;
}

async function* readChunks(path: string, handle: FileHandle, onProgress?: (bytes: number) => void) {
  for (let total = 0; ; ) {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let bytesRead: number;
    try {
      ({ bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES));
    } catch (error) {
      throw new UnusableFile(`${path}: ${describeReadError(error)}`);
    }
    if (bytesRead === 0) return;
    // A pipe may return a few bytes at a time: copies do not keep a whole buffer in memory.
    yield bytesRead < CHUNK_BYTES / 2
      ? Buffer.from(buffer.subarray(0, bytesRead))
      : buffer.subarray(0, bytesRead);
    total += bytesRead;
    onProgress?.(total);
  }
}

/** Reads at least `bytes` ahead. Yields the chunks before a failure first. */
async function takeStart(
  chunks: AsyncGenerator<Buffer>,
  bytes: number,
): Promise<{ start: Buffer; all: AsyncGenerator<Buffer> }> {
  const taken: Buffer[] = [];
  let failure: unknown;
  try {
    for (let length = 0; length < bytes; ) {
      const { done, value } = await chunks.next();
      if (done) break;
      taken.push(value);
      length += value.length;
    }
  } catch (error) {
    if (taken.length === 0) throw error;
    failure = error;
  }
  const start = taken.length === 1 && taken[0] !== undefined ? taken[0] : Buffer.concat(taken);
  async function* all(): AsyncGenerator<Buffer> {
    yield start;
    if (failure !== undefined) throw failure;
    yield* chunks;
  }
  return { start, all: all() };
}

function withoutByteOrderMark(path: string, start: Buffer): Buffer {
  if (start.length === 0) throw new UnusableFile(`${path}: The file is empty`);
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    if (start.length === 3) throw new UnusableFile(`${path}: The file is empty`);
    return start.subarray(3);
  }
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new UnusableFile(`${path}: Not UTF-8 text but UTF-16; save the file as UTF-8`);
  }
  if (startsWith(start, OLD_OFFICE)) throw new UnusableFile(`${path}: ${OLD_WORKBOOK}`);
  if (startsWith(start, ZIP)) throw new UnusableFile(`${path}: ${PACKED_ARCHIVE}`);
  if (start.includes(0)) {
    throw new UnusableFile(`${path}: Not UTF-8 text, because it contains NUL bytes; save the file as UTF-8`);
  }
  return start;
}

async function* closing(
  handle: FileHandle,
  all: AsyncGenerator<Buffer>,
  skip: number,
  beforeChunk: ReadingOptions['beforeChunk'],
): AsyncGenerator<Buffer> {
  try {
    let skipped = skip;
    for await (const chunk of all) {
      await beforeChunk?.(chunk.length);
      yield skipped === 0 ? chunk : chunk.subarray(skipped);
      skipped = 0;
    }
  } finally {
    await handle.close();
  }
}
