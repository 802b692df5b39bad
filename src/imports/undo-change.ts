import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Actor } from '../database/actor.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { errors } from '../errors/errors.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { nameUndo } from '../products/bulk/bulk-change.ts';
import type { NamedImport } from '../products/bulk/undo-name.ts';
import { countCreated } from '../products/record/history-queries.ts';
import { type ChangeName, findChange, timeOfChange } from '../products/undo/find-change.ts';
import type { ChangePart } from '../products/undo/queries.ts';
import { undoFile } from '../products/undo/undo-file.ts';
import type { ImportKey } from './import-files.ts';
import type { Step } from './import-state.ts';
import type { Imports } from './imports.ts';
import type { StoreImport } from './take-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface UndoServices {
  config: Pick<Config, 'historyRetentionDays'>;
  imports: Imports;
  offLoop: OffLoopReads;
  now: () => number;
}

interface Undo {
  merchantId: number;
  who: Actor;
  change: ChangeName;
  /** `checking` for a preview, which is imported later. */
  firstStep: Step;
}

/**
 * Undoes a change of the catalog by an import of the former values: starts its first step. `store` stores the
 * import, after other work.
 * @throws {DomainError} `change_not_found`, `change_too_old`, `nothing_to_undo`, and as `Imports.take`
 */
export async function undoChange(
  services: UndoServices,
  { merchantId, who, change, firstStep }: Undo,
  store?: StoreImport,
): Promise<ImportKey | undefined> {
  const { imports } = services;
  const parts = await requireChange(services, merchantId, change);
  const products = parts.reduce((sum, part) => sum + part.changed + countCreated(part), 0);
  const name = nameUndo(await nameOf(services, merchantId, change, parts), products);
  const stream = Readable.from(undoFile(services, merchantId, parts), { objectMode: false });
  const incoming = {
    merchantId,
    createdBy: who,
    stream,
    abort: (error: Error): void => void stream.destroy(error),
    bytes: 0,
    describe: async () => ({ name, firstStep }),
    isBulk: true,
  };
  return await imports.take(incoming, store);
}

async function requireChange(
  { config, imports, offLoop, now }: UndoServices,
  merchantId: number,
  change: ChangeName,
): Promise<ChangePart[]> {
  const id = 'import' in change ? change.import : change.change;
  const days = config.historyRetentionDays;
  const parts = await offLoop.snapshot(merchantId, (reader) => findChange(reader, merchantId, change));
  // Of an old import, only some parts may be left.
  const time = parts[0]?.at ?? timeOfChange(change) ?? Number.POSITIVE_INFINITY;
  if (time < now() - days * DAY_MS) throw errors.change_too_old(id, days);
  if (parts.length > 0) return parts;
  if ((await imports.find({ merchantId, id })) !== undefined) throw errors.nothing_to_undo();
  throw errors.change_not_found(id);
}

/** Imports are kept for a day only, but their changes are in the history for longer. */
async function nameOf(
  { imports, offLoop }: UndoServices,
  merchantId: number,
  change: ChangeName,
  [first]: readonly ChangePart[],
): Promise<NamedImport> {
  const stored = 'import' in change ? await imports.find({ merchantId, id: change.import }) : undefined;
  if (stored !== undefined) return { name: stored.name, isBulk: stored.is_bulk === 1 };
  const merchant = await offLoop.snapshot(merchantId, (reader) =>
    reader.first(findMerchantById, { merchantId }),
  );
  const time = clockTime(merchant?.time_zone ?? 'UTC', first?.at ?? 0);
  return { name: `${'import' in change ? 'import' : 'change'} of ${time}`, isBulk: false };
}

/** Returns a time as people write it: `Nov 28, 2026, 1:19 PM`. */
function clockTime(timeZone: string, time: number): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  // Programs that read the name need no special space.
  return format.format(time).replaceAll('\u202f', ' ');
}
