import { TimeSlices } from './time-slices.ts';

/** Like `items.map(map)`, but lets other work of the event loop run in between. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const slices = new TimeSlices();
  for (const item of items) {
    results.push(map(item));
    if (slices.isOver) await slices.pause();
  }
  return results;
}
