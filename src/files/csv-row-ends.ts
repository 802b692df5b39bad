import type { RowEnds } from './split-rows.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

const CELL_START = 0;
const IN_CELL = 1;
const IN_QUOTES = 2;
const AFTER_QUOTE = 3;

/** Ends a row at a line feed outside quotes. An opening quote must begin a cell (RFC 4180). */
export class CsvRowEnds implements RowEnds {
  lineFeeds = 0;
  readonly #delimiter: number;
  #state = CELL_START;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  find(chunk: Buffer, from: number): number {
    const delimiter = this.#delimiter;
    let state = this.#state;
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index];
      if (byte === LINE_FEED) {
        this.lineFeeds++;
        if (state === IN_QUOTES) continue;
        this.#state = CELL_START;
        return index;
      }
      if (state === IN_QUOTES) {
        if (byte === QUOTE) state = AFTER_QUOTE;
      } else if (byte === QUOTE && state !== IN_CELL) {
        state = IN_QUOTES;
      } else {
        state = byte === delimiter ? CELL_START : IN_CELL;
      }
    }
    this.#state = state;
    return -1;
  }
}
