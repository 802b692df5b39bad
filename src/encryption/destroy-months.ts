import type { KeyFile, MonthlySecret } from './key-lines.ts';
import type { Month } from './month.ts';
import { stepTo } from './ratchet.ts';

/**
 * Destroys the keys of all months before `oldest`. Also takes notice of rotations: a secret that the database
 * uses is no longer next, and an older one that it does not use is destroyed once the month of the rotation
 * is. Returns its argument if there is nothing to do.
 * @throws {Error} if `oldest` is more than 200 years after the month of a secret
 */
export function destroyMonths(
  file: KeyFile,
  { oldest, usedIds }: { oldest: Month; usedIds: ReadonlySet<string> },
): KeyFile {
  const isUsed = ({ id }: MonthlySecret): boolean => usedIds.has(id);
  const started = file.monthly.map((each) =>
    each.isNext && isUsed(each) ? { ...each, isNext: false } : each,
  );
  const newest = started.findLast(({ isNext }) => !isNext);
  // Otherwise a value may be in an open transaction, or another node may not know of the rotation yet.
  const isSettled = newest !== undefined && isUsed(newest) && newest.month < oldest;
  const isOver = (each: MonthlySecret): boolean =>
    isSettled && each !== newest && !each.isNext && !isUsed(each);
  const monthly = started
    .filter((each) => !isOver(each))
    .map((each) => (each.month < oldest ? { ...each, ...stepTo(oldest, each) } : each));
  const isSame =
    monthly.length === file.monthly.length && monthly.every((each) => file.monthly.includes(each));
  if (isSame) return file;
  return { ...file, monthly, destroyed: [...file.destroyed, ...started.filter(isOver).map(({ id }) => id)] };
}
