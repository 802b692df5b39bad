import { type Row, type RowEnds, splitRows } from './split-rows.ts';

const LINE_FEED = 0x0a;

/** Splits text into lines, in batches, with the limits of `splitRows`. */
export function readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row[]> {
  return splitRows(chunks, new LineEnds());
}

class LineEnds implements RowEnds {
  lineFeeds = 0;

  find(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(LINE_FEED, from);
    if (end >= 0) this.lineFeeds++;
    return end;
  }
}
