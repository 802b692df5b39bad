import type { Reader } from '../../database/database.ts';
import { type ChangePart, findPart, listPartsOfImport } from './queries.ts';

/** A change of the catalog, as the history names it: an import, or one call or transaction. */
export type ChangeName = { import: string } | { change: string };

const CHANGE_ID = /^(\d{1,16})-(\d{1,9})$/;
/** A UUID of version 7, which begins with its time. */
const TIMED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;
const MICROSECONDS = 1_000;

/** Returns how the history names the change of one call, or of one transaction of an import. */
export function changeId({ revision, part }: Pick<ChangePart, 'revision' | 'part'>): string {
  return `${revision}-${part}`;
}

/**
 * Returns when a change was made, or its import stored, in milliseconds; undefined if the name does not say.
 */
export function timeOfChange(name: ChangeName): number | undefined {
  if ('change' in name) {
    const key = readChangeId(name.change);
    return key && Math.floor(key.revision / MICROSECONDS);
  }
  const [, high, low] = TIMED_ID.exec(name.import) ?? [];
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
}

/** Returns the parts of a change, oldest first; none if the history has no such change of the merchant. */
export async function findChange(
  reader: Reader,
  merchantId: number,
  name: ChangeName,
): Promise<ChangePart[]> {
  if ('import' in name) return await reader.all(listPartsOfImport, { merchantId, importId: name.import });
  const key = readChangeId(name.change);
  return key === undefined ? [] : await reader.all(findPart, { merchantId, ...key });
}

function readChangeId(id: string): Pick<ChangePart, 'revision' | 'part'> | undefined {
  const [, revision, part] = CHANGE_ID.exec(id) ?? [];
  if (!Number.isSafeInteger(Number(revision))) return undefined;
  return { revision: Number(revision), part: Number(part) };
}
