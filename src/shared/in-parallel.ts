/** Few, so that the requests of merchants hardly wait. */
const AT_ONCE = 3;

/** Calls `work` for each item, for a few at a time. Throws what failed first, after all have ended. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const item of waiting) await work(item);
  });
  for (const result of await Promise.allSettled(workers))
    if (result.status === 'rejected') throw result.reason;
}
