import type { SpoolFile } from '../../shared/spool-file.ts';

/** Pages up to this size are assembled in memory. */
const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;

/**
 * Assembles a page from its parts: in memory or, if its records have too many `bytes` for that, in the file that
 * `newFile` creates.
 */
export async function assemble(
  [start, end]: readonly [Buffer, Buffer],
  bytes: number,
  steps: AsyncIterable<Uint8Array[]>,
  newFile: () => Promise<SpoolFile>,
): Promise<Buffer | SpoolFile> {
  if (bytes <= MAX_BYTES_IN_MEMORY) {
    const parts: Uint8Array[] = [start];
    for await (const step of steps) parts.push(...step);
    return Buffer.concat([...parts, end]);
  }
  const file = await newFile();
  try {
    await file.append([start]);
    for await (const step of steps) await file.append(step);
    await file.append([end]);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A page of a listing, counted from 1, and whether to return it with the pagination summary. */
export interface FramedPage {
  page: number;
  perPage: number;
  summary: boolean;
}

/** Returns the bytes before and after the records of a page: the brackets of an array, or the summary. */
export function frame({ page, perPage, summary }: FramedPage, total: number): [start: Buffer, end: Buffer] {
  if (!summary) return [Buffer.from('['), Buffer.from(']')];
  const position = (page - 1) * perPage;
  const [from, to] = position < total ? [position + 1, Math.min(position + perPage, total)] : [0, 0];
  const figures = `"from":${from},"to":${to},"page":${page},"per_page":${perPage},"total_entries":${total}`;
  return [Buffer.from('{"results":['), Buffer.from(`],${figures}}`)];
}
