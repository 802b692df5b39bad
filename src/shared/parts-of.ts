/** Yields a list in parts of up to `size` items, in order. */
export function* partsOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
