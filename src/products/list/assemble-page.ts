import type { SpoolFile } from '../../shared/spool-file.ts';

/** Larger pages are assembled in a file. */
export const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;

/** Assembles a page in memory, or in the file that `newFile` creates once it is too large. */
export async function assemble(
  [start, end]: readonly [Buffer, Buffer],
  steps: AsyncIterable<Uint8Array[]>,
  newFile: () => Promise<SpoolFile>,
): Promise<Buffer | SpoolFile> {
  let parts: Uint8Array[] = [start];
  let bytes = 0;
  let file: SpoolFile | undefined;
  try {
    for await (const step of steps) {
      parts.push(...step);
      for (const { length } of step) bytes += length;
      if (bytes <= MAX_BYTES_IN_MEMORY) continue;
      file ??= await newFile();
      await file.append(parts);
      parts = [];
    }
    if (file === undefined) return Buffer.concat([...parts, end]);
    await file.append([...parts, end]);
    return file;
  } catch (error) {
    await file?.close();
    throw error;
  }
}
