import { constants, type FileHandle, open } from 'node:fs/promises';
import { gunzip, isGzip, upTo } from './gunzip.ts';
import { UnusableFile } from './parsed.ts';

const CHUNK_BYTES = 256 * 1024;
/** Enough of the beginning to hold any sensible header line, so that the format can be told from it. */
export const START_BYTES = 64 * 1024;

/** A file of UTF-8 text that is open for one reading. */
export interface OpenFile {
  /** As it was given; messages about the file begin with it. */
  path: string;
  /** The size of the file itself, compressed or not; 0 where it cannot be known (a pipe). */
  totalBytes: number;
  /** The beginning of the text, unpacked and without a byte order mark: at least 64 KiB, or all of it. */
  start: Buffer;
  /**
   * The whole text, `start` included; to be read once. The file is closed when it has been read to its end
   * or left. Throws `UnusableFile` where the file turns out to be damaged, after what stands before.
   */
  text: AsyncIterable<Buffer>;
  /** For a file whose text is not going to be read after all. */
  close(): Promise<void>;
}

/** What happens while a file is read. */
export interface ReadingOptions {
  /** Told how many bytes of the file itself have been taken so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** Awaited before each chunk of the unpacked text, with the bytes of that chunk. */
  beforeChunk?: ((bytes: number) => Promise<void>) | undefined;
  /** A file that unpacks to more throws as a damaged file does. Default: no limit. */
  maximumBytes?: number | undefined;
}

/**
 * Opens a file of text, unpacking gzip whatever the file's name. Memory is bounded, and no more is read than
 * is asked for.
 * @throws {UnusableFile} for what is not there, not readable, empty, or not UTF-8 text
 */
export async function openFile(
  path: string,
  { onProgress, beforeChunk, maximumBytes = Number.POSITIVE_INFINITY }: ReadingOptions = {},
): Promise<OpenFile> {
  const handle = await openForReading(path);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory())
      throw new UnusableFile(`${path}: it is a directory; the path of a file is expected`);
    const raw = await takeStart(readChunks(path, handle, onProgress), 2);
    const unpacked = isGzip(raw.start)
      ? await takeStart(upTo(maximumBytes, path, gunzip(path, raw.all)), START_BYTES)
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

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    throw new UnusableFile(`${path}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read; check its permissions';
  return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}

async function* readChunks(path: string, handle: FileHandle, onProgress?: (bytes: number) => void) {
  for (let total = 0; ; ) {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let bytesRead: number;
    try {
      ({ bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES));
    } catch (error) {
      throw new UnusableFile(`${path}: ${reasonOf(error)}`);
    }
    if (bytesRead === 0) return;
    // A pipe may give a few bytes at a time: those must not keep a whole buffer each.
    yield bytesRead < CHUNK_BYTES / 2
      ? Buffer.from(buffer.subarray(0, bytesRead))
      : buffer.subarray(0, bytesRead);
    total += bytesRead;
    onProgress?.(total);
  }
}

/** Reads ahead until `bytes` are there. A failure on the way is thrown only when the reading comes to it. */
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
  if (start.length === 0) throw new UnusableFile(`${path}: it is empty`);
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    if (start.length === 3) throw new UnusableFile(`${path}: it is empty`);
    return start.subarray(3);
  }
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new UnusableFile(`${path}: it is UTF-16 text; save it as UTF-8`);
  }
  if (start.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    throw new UnusableFile(`${path}: it is a workbook or a ZIP archive; save the sheet as CSV (UTF-8)`);
  }
  if (start.includes(0)) {
    throw new UnusableFile(`${path}: it holds NUL bytes, so it is UTF-16 or no text; save it as UTF-8 text`);
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
