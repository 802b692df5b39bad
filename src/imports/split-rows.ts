/** The most bytes a row may have. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;
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
 * Cuts text into rows, in batches of up to 500; blank rows are left out. A row over 4 MiB comes out
 * as too long, and is never held as a whole. The last row needs no line end; CRLF counts as a line end.
 */
export async function* splitRows(chunks: AsyncIterable<Buffer>, ends: RowEnds): AsyncGenerator<Row[]> {
  const parts = new RowParts();
  let passed = ends.lineFeeds;
  for await (const chunk of chunks) {
    let rows: Row[] = [];
    for (let from = 0; from < chunk.length; ) {
      const end = ends.find(chunk, from);
      if (end < 0) {
        parts.add(chunk.subarray(from));
        break;
      }
      const row = parts.finish(chunk.subarray(from, end), passed + 1, ends.lineFeeds - passed);
      passed = ends.lineFeeds;
      from = end + 1;
      if (row.bytes.length > 0 && rows.push(row) === MAX_BATCH) {
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
  }
  const last = parts.finish(Buffer.alloc(0), passed + 1, ends.lineFeeds - passed + 1);
  if (last.bytes.length > 0) yield [last];
}

/** The parts of a row that spans chunks, in bounded memory. */
class RowParts {
  #parts: Buffer[] = [];
  #length = 0;
  #tooLong = false;

  add(part: Buffer): void {
    if (this.#tooLong) return;
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= MAX_ROW_BYTES) return;
    this.#tooLong = true;
    // A copy, so that the chunks that it stands in are let go.
    this.#parts = [Buffer.from(Buffer.concat(this.#parts, KEPT_BYTES))];
  }

  /** The row that ends with this part, and makes ready for the next. */
  finish(part: Buffer, line: number, lines: number): Row {
    if (this.#length === 0 && part.length <= MAX_ROW_BYTES) {
      return { line, lines, bytes: withoutCarriageReturn(part), tooLong: false };
    }
    this.add(part);
    const bytes = withoutCarriageReturn(Buffer.concat(this.#parts));
    const row = { line, lines, bytes, tooLong: this.#tooLong };
    this.#parts = [];
    this.#length = 0;
    this.#tooLong = false;
    return row;
  }
}

function withoutCarriageReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
