/** The most bytes a row may have. */
export const MAX_ROW_BYTES = 1024 * 1024;
/** The most rows that are handed on at once. */
const MAX_BATCH = 500;
/** How much is kept of a row that is too long, to tell what it was. */
const KEPT_BYTES = 4 * 1024;
const CARRIAGE_RETURN = 0x0d;

/** The bytes of one row of a file. */
export interface Row {
  /** Where it begins, counted from 1. */
  line: number;
  /** How many lines it runs over. */
  lines: number;
  /** Without its line end; only its beginning where it is too long. */
  bytes: Buffer;
  tooLong: boolean;
}

/** Tells where rows end. It sees each byte once, in order, and keeps its state from chunk to chunk. */
export interface RowEnds {
  /** The index of the line feed that ends the row, or -1 where the chunk ends before. */
  find(chunk: Buffer, from: number): number;
  /** How many line feeds it has passed so far. */
  lineFeeds: number;
}

/**
 * Cuts text into rows, in batches of up to 500; blank rows are left out. A row over 1 MiB comes out
 * as too long, and is never held as a whole. The last row needs no line end; CRLF counts as a line end.
 */
export async function* splitRows(chunks: AsyncIterable<Buffer>, ends: RowEnds): AsyncGenerator<Row[]> {
  const begun = new BegunRow();
  let passed = ends.lineFeeds;
  for await (const chunk of chunks) {
    let rows: Row[] = [];
    for (let from = 0; from < chunk.length; ) {
      const end = ends.find(chunk, from);
      if (end < 0) {
        begun.add(chunk.subarray(from));
        break;
      }
      const bytes = begun.finish(chunk.subarray(from, end));
      const tooLong = bytes === undefined;
      const row = { line: passed + 1, lines: ends.lineFeeds - passed, bytes: bytes ?? begun.beginning(), tooLong };
      passed = ends.lineFeeds;
      from = end + 1;
      if (row.bytes.length === 0) continue;
      if (rows.push(row) === MAX_BATCH) {
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
  }
  const bytes = begun.finish(Buffer.alloc(0));
  const lines = ends.lineFeeds - passed + 1;
  const last = { line: passed + 1, lines, bytes: bytes ?? begun.beginning(), tooLong: bytes === undefined };
  if (last.bytes.length > 0) yield [last];
}

/** A row of which only a part has been read, in bounded memory. */
class BegunRow {
  #pieces: Buffer[] = [];
  #length = 0;
  #beginning: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#length > MAX_ROW_BYTES && this.#pieces.length > 0) {
      // A copy, so that the chunks that it stood in are let go.
      this.#beginning = Buffer.from(this.#beginning.length > 0 ? this.#beginning : this.#joined().subarray(0, KEPT_BYTES));
      this.#pieces = [];
    }
  }

  /** The row, now that its last piece is there, or undefined where it is too long. Starts the next one. */
  finish(last: Buffer): Buffer | undefined {
    this.#beginning = Buffer.alloc(0);
    return last;
  }
  beginning(): Buffer { return this.#beginning; }
  #joined(): Buffer { return Buffer.concat(this.#pieces); }
}
