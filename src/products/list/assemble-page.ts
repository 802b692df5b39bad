import type { SpoolFile } from '../../shared/spool-file.ts';

const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;

/** Assembles a page in memory, or in the file that `newFile` creates if its records have too many `bytes`. */
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
