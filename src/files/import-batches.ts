import type { Parsed } from './parsed.ts';

/** Reads the next batch while the caller uses the current one. */
export async function* readAhead<Batch>(batches: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  let next = batches.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = batches.next();
      // If this fails, the next iteration throws.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited: after an error of the caller, the next batch may never arrive.
    batches.return(undefined).catch(() => {});
  }
}

/** Joins batches until `isEnough`. If the source fails, first yields the items before the failure. */
export async function* joinBatches<Item>(
  batches: AsyncIterable<Parsed<Item>[]>,
  isEnough: (rows: number) => boolean,
): AsyncGenerator<Parsed<Item>[]> {
  let joined: Parsed<Item>[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const batch of batches) {
      joined = joined.concat(batch);
      if (!isEnough(joined.length)) continue;
      yield joined;
      joined = [];
    }
  } catch (error) {
    failure = { error };
  }
  if (joined.length > 0) yield joined;
  if (failure !== undefined) throw failure.error;
}
