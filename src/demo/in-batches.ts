import type { Parsed } from '../files/parsed.ts';

const BATCH = 500;

/** Returns generated items as if they came from a file. */
export async function* inBatches<Item>(items: readonly Item[]): AsyncGenerator<Parsed<Item>[]> {
  for (let start = 0; start < items.length; start += BATCH) {
    yield items.slice(start, start + BATCH).map((item, index) => ({ line: start + index + 1, item }));
  }
}
