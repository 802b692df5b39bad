import type { Stats } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { messageOf } from '../shared/error-message.ts';
import { withFileLock } from '../shared/file-lock.ts';
import { publishFile, removeDrafts } from '../shared/publish-file.ts';
import { formatKeyLines, InvalidLine, type KeyFile, NO_KEYS, parseKeyLines } from './key-lines.ts';

/** The message is for the operator, and contains no key. */
export class KeyFileUnusable extends Error {
  override name = 'KeyFileUnusable';
}

/** A value that its key does not decrypt. The message is for the operator, and contains neither. */
export class UndecryptableValue extends Error {
  override name = 'UndecryptableValue';
}

/** What a change did: nothing, or a new content of the file, or a new file. */
export type KeyFileChange = 'nothing' | 'changed' | 'created';

/** Users that are neither the owner nor in the file's group. */
const OTHERS = 0o007;

/**
 * Reads a key file, or nothing if there is no file.
 * @throws {KeyFileUnusable} if the file cannot be read, has other content, or is accessible to every user
 */
export async function readKeyFile(file: string): Promise<KeyFile & { stats: Stats | undefined }> {
  const stored = await read(file);
  if (stored === undefined) return { ...NO_KEYS, stats: undefined };
  if ((stored.stats.mode & OTHERS) !== 0)
    throw unusable(file, `is accessible to every user: run chmod go= '${file}'`);
  return { ...parse(file, stored.text), stats: stored.stats };
}

async function read(file: string): Promise<{ stats: Stats; text: string } | undefined> {
  try {
    const handle = await open(file);
    try {
      return { stats: await handle.stat(), text: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(file, `cannot be read: ${messageOf(error)}`, error);
  }
}

function parse(file: string, text: string): KeyFile {
  try {
    return parseKeyLines(text);
  } catch (error) {
    if (!(error instanceof InvalidLine)) throw error;
    throw unusable(file, `has an invalid ${error.message}`, error);
  }
}

/**
 * Replaces the content of a key file, or creates the file for its owner only. Processes of one machine that
 * change it at once do so one after the other. Who reads it meanwhile gets the former or the new content,
 * whole. The file keeps its owner and permissions. `change` returns its argument to change nothing.
 * @throws {KeyFileUnusable} as `readKeyFile`, and if the file cannot be changed
 */
export async function changeKeyFile(
  file: string,
  change: (content: KeyFile) => KeyFile,
): Promise<{ content: KeyFile; change: KeyFileChange }> {
  let verb = 'changed';
  try {
    const target = await realpath(file).catch((error) => {
      if (!isMissing(error)) throw error;
      verb = 'created';
      return file;
    });
    return await withFileLock(`${target}.lock`, async () => {
      // A process that died may have left secrets in them that were destroyed since.
      await removeDrafts(target);
      const { stats, ...former } = await readKeyFile(target);
      const content = change(former);
      if (content === former) return { content, change: 'nothing' };
      await publishFile(target, formatKeyLines(content), { replace: true, ...(stats && { like: stats }) });
      return { content, change: stats === undefined ? 'created' : 'changed' };
    });
  } catch (error) {
    if (error instanceof KeyFileUnusable) throw error;
    throw unusable(file, `cannot be ${verb}: ${messageOf(error)}`, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unusable(file: string, problem: string, cause?: unknown): KeyFileUnusable {
  return new KeyFileUnusable(`The key file ${file} ${problem}.`, { cause });
}
