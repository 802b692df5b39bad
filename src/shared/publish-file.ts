import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, chown, link, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const PERMISSIONS = 0o777;
const DRAFT_END = '.new';

interface PublishOptions {
  replace: boolean;
  /** Gives the file this owner, this group and these permissions. */
  like?: Pick<Stats, 'mode' | 'uid' | 'gid'>;
}

/**
 * Stores a file whole and on disk, without `like` for its owner only (mode 0600). With `replace`, replaces an
 * existing file; otherwise keeps it, so that processes that create it together agree. Resolves to the file's
 * content.
 * @throws system errors
 */
export async function publishFile(
  file: string,
  content: string,
  { replace, like }: PublishOptions,
): Promise<Buffer> {
  const draft = `${file}.${randomUUID()}${DRAFT_END}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    if (like !== undefined) {
      await chown(draft, like.uid, like.gid);
      await chmod(draft, like.mode & PERMISSIONS);
    }
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

/** Removes what processes left that died in `publishFile`. No other process may be publishing the file. */
export async function removeDrafts(file: string): Promise<void> {
  const start = `${basename(file)}.`;
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(start) && name.endsWith(DRAFT_END))
      await rm(join(dirname(file), name), { force: true });
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
