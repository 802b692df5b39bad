import { changeKeyFile } from './key-file.ts';
import { type KeyFile, newEncryptionKey, newMonthlySecret } from './key-lines.ts';
import type { Month } from './month.ts';

/** The IDs of keys and monthly secrets that only decrypt until `startNextKeys`. */
export function nextIds({ keys, monthly }: KeyFile): string[] {
  return [...keys, ...monthly].filter(({ isNext }) => isNext).map(({ id }) => id);
}

/**
 * Adds next keys: a key and a monthly secret from `month` on, each if the file has one of its kind. Adds
 * nothing if the file has next keys already. Resolves to the IDs of the next keys.
 * @throws {KeyFileUnusable}
 */
export async function addNextKeys(file: string, month: Month): Promise<string[]> {
  const { content } = await changeKeyFile(file, (before) => {
    if (nextIds(before).length > 0) return before;
    const { keys, monthly } = before;
    if (keys.length + monthly.length === 0) return before;
    return {
      ...before,
      keys: keys.length === 0 ? keys : [...keys, { ...newEncryptionKey(), isNext: true }],
      monthly: monthly.length === 0 ? monthly : [...monthly, { ...newMonthlySecret(month), isNext: true }],
    };
  });
  return nextIds(content);
}

/** From now on, the next ones encrypt. Resolves to their IDs. @throws {KeyFileUnusable} */
export async function startNextKeys(file: string): Promise<string[]> {
  let used: string[] = [];
  await changeKeyFile(file, (before) => {
    used = nextIds(before);
    if (used.length === 0) return before;
    const start = <Each>(each: Each): Each & { isNext: boolean } => ({ ...each, isNext: false });
    return { ...before, keys: before.keys.map(start), monthly: before.monthly.map(start) };
  });
  return used;
}

/**
 * The IDs of keys that encrypt nothing and can be removed. If the database does not use the newest key, all
 * keys stay: another node may not know the newest key yet, and use an older one.
 */
export function removableIds({ keys }: KeyFile, usedIds: readonly string[]): string[] {
  const newest = keys.findLast(({ isNext }) => !isNext);
  if (newest === undefined || !usedIds.includes(newest.id)) return [];
  return keys.filter(({ id, isNext }) => !isNext && !usedIds.includes(id)).map(({ id }) => id);
}

/** Removes what `removableIds` returns, and resolves to it. @throws {KeyFileUnusable} */
export async function removeUnusedKeys(file: string, usedIds: readonly string[]): Promise<string[]> {
  let removed: string[] = [];
  await changeKeyFile(file, (before) => {
    removed = removableIds(before, usedIds);
    if (removed.length === 0) return before;
    return { ...before, keys: before.keys.filter(({ id }) => !removed.includes(id)) };
  });
  return removed;
}
