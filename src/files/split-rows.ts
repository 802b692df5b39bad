export const MAX_ROW_BYTES = 4 * 1024 * 1024;
const MAX_BATCH = 500;
/** How much of a row that is too long is kept, to identify it. */
const KEPT_BYTES = 4 * 1024;
const CARRIAGE_RETURN = 0x0d;

export interface Row {
  /** Where it begins, counted from 1. */
  line: number;
  /** The number of lines that it spans. */
  lines: number;
  /** Without the line ending; only the beginning of a row that is too long. */
  bytes: Buffer;
  tooLong: boolean;
}

/** Finds the ends of rows. It sees each byte once, in order, and keeps its state between chunks. */
export interface RowEnds {
  /** Returns the index of the line feed that ends the row, or -1 if the row continues after the chunk. */
  find(chunk: Buffer, from: number): number;
  /** The number seen so far. */
  lineFeeds: number;
}

/**
 * Splits text into rows, in batches of up to 500, without blank rows. A row over 4 MiB is marked as too long,
 * and is never in memory as a whole. The last row needs no line ending; CRLF is a line ending.
 */
export async function* splitRows(chunks: AsyncIterable<Buffer>, ends: RowEnds): AsyncGenerator<Row[]> {
  const parts = new RowParts();
  let linesBefore = ends.lineFeeds;
  for await (const chunk of chunks) {
    let rows: Row[] = [];
    for (let from = 0; from < chunk.length; ) {
      const end = ends.find(chunk, from);
      if (end < 0) {
        parts.add(chunk.subarray(from));
        break;
      }
      const row = parts.finish(chunk.subarray(from, end), linesBefore + 1, ends.lineFeeds - linesBefore);
      linesBefore = ends.lineFeeds;
      from = end + 1;
      if (row.bytes.length > 0 && rows.push(row) === MAX_BATCH) {
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
  }
  const last = parts.finish(Buffer.alloc(0), linesBefore + 1, ends.lineFeeds - linesBefore + 1);
  if (last.bytes.length > 0) yield [last];
}

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
    // A copy, so that the chunks can be garbage-collected.
    this.#parts = [Buffer.from(Buffer.concat(this.#parts, KEPT_BYTES))];
  }

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
