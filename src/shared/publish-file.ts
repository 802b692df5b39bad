import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Stores a file whole and on disk, for its owner only (mode 0600). With `replace`, replaces an existing file;
 * otherwise keeps it, so that processes that create it together agree. Resolves to the file's content.
 * @throws system errors
 */
export async function publishFile(
  file: string,
  content: string,
  { replace }: { replace: boolean },
): Promise<Buffer> {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    const move = (): Promise<void> => rename(draft, file);
    if (replace) await move();
    // Some network disks have no links. There, the last process wins.
    else await link(draft, file).catch((error) => (error.code === 'EEXIST' ? undefined : move()));
    await flushDirectory(dirname(file));
    return await readFile(file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
