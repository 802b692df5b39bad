import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Stores a file that only its owner can read (mode 0600), whole and on disk. If the file exists, replaces it
 * with `replace`, and otherwise keeps it, so that processes that create it together agree on one. Resolves to
 * the file's content afterwards.
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
    // Some network disks have no links. There, the last process to store the file wins.
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
