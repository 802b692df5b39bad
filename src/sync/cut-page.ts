/** Makes a page of `limit` of the rows, of which there is one more if there is a next page. */
export function cutPage<Row, Place>(
  rows: readonly Row[],
  limit: number,
  placeOf: (last: Row) => Place,
): { results: Row[]; next: Place | undefined } {
  const results = rows.slice(0, limit);
  const last = rows.length > limit ? results.at(-1) : undefined;
  return { results, next: last === undefined ? undefined : placeOf(last) };
}
