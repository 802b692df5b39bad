/** A page of a list, counted from 1. `summary` is whether to return it with the pagination summary. */
export interface FramedPage {
  page: number;
  perPage: number;
  summary: boolean;
}

/**
 * Returns the bytes around the `count` records of a page: the brackets of an array, or the summary. The
 * records of a page beyond its number's end, which a cursor can reach, count as the last ones.
 */
export function frame(
  { page, perPage, summary }: FramedPage,
  { total, count }: { total: number; count: number },
): [start: Buffer, end: Buffer] {
  if (!summary) return [Buffer.from('['), Buffer.from(']')];
  const position = Math.max(0, Math.min((page - 1) * perPage, total - count));
  const [from, to] = count > 0 ? [position + 1, position + count] : [0, 0];
  const figures = `"from":${from},"to":${to},"page":${page},"per_page":${perPage},"total_entries":${total}`;
  return [Buffer.from('{"results":['), Buffer.from(`],${figures}}`)];
}
