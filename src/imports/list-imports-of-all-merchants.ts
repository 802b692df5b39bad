import type { Reader } from '../database/database.ts';
import { type ProductFormat, productFormats } from '../products/files/detect-format.ts';
import { REPORT_TIMEOUT_MS } from './import-state.ts';
import { type ImportGroup, type ImportRow, listImportsOfAll } from './queries.ts';

/** `bulk`: a change of many products in the console, for which the service writes the file itself. */
export const importSources = [...productFormats, 'bulk'] as const;
export type ImportSource = (typeof importSources)[number];

/**
 * Nothing of a `waiting` import's file has been read yet, and a `running` import is checked or imported. All
 * others are `finished`; some of these have `failed`.
 */
export const importPhases = ['waiting', 'running', 'finished', 'failed'] as const;
export type ImportPhase = (typeof importPhases)[number];

/** Sorts after every ID. */
const NEWEST = '~';

/** Lists imports of the last day of all merchants, newest first, after the import `after`. */
export async function listImportsOfAllMerchants(
  { database, now }: { database: Pick<Reader, 'all'>; now: () => number },
  {
    state,
    source,
    after = NEWEST,
    limit,
  }: {
    state?: ImportPhase | undefined;
    source?: ImportSource | undefined;
    after?: string | undefined;
    limit: number;
  },
): Promise<(ImportRow & { merchant_id: number })[]> {
  const isFormat = (word: string | undefined): word is ProductFormat =>
    productFormats.some((format) => format === word);
  const kind = source === undefined ? 'any' : isFormat(source) ? 'format' : 'bulk';
  const aliveAfter = now() - REPORT_TIMEOUT_MS;
  const page = { before: after, limit, aliveAfter, format: source ?? '' };
  // An interrupted check is not stored as failed.
  const groups: (ImportGroup | undefined)[] = state === 'failed' ? ['failed', 'interrupted'] : [state];
  const lists = await Promise.all(groups.map((group) => database.all(listImportsOfAll(group, kind), page)));
  return lists
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);
}

export function sourceOf({ is_bulk, format }: ImportRow): ImportSource | null {
  return is_bulk === 1 ? 'bulk' : format;
}
