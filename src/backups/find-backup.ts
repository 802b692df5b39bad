import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { formatTime } from '../shared/timestamps.ts';
import { parseBackupName } from './backup-name.ts';
import { type BackupPlace, describePlace } from './backup-settings.ts';
import { type BackupStore, openBackupStore } from './backup-store.ts';
import { BackupNotFound } from './errors.ts';

/** A backup that can be restored. */
export interface FoundBackup {
  store: Pick<BackupStore, 'get'>;
  file: string;
  /** For people: its path or its address. */
  address: string;
  /** Null if the name of the file does not tell. */
  at: number | null;
}

/**
 * Finds the newest backup of a place, at or before `at` unless that is null. A directory can also be a file,
 * and a prefix of a bucket one backup.
 * @throws {BackupNotFound}
 */
export async function findBackup(
  place: BackupPlace,
  at: number | null,
  signal: AbortSignal,
): Promise<FoundBackup> {
  const { container, file } = await splitPlace(place);
  const store = openBackupStore(container, { signal });
  const addressOf = (name: string): string => {
    const where = describePlace(container);
    return container.kind === 'directory' ? resolve(where, name) : `${where}${name}`;
  };
  if (file !== null) {
    if (at !== null)
      throw new BackupNotFound('--at needs a directory or a prefix with backups, not one backup.');
    return { store, file, address: addressOf(file), at: parseBackupName(file)?.at ?? null };
  }
  const all = await store.list();
  const found = all.find((backup) => at === null || backup.at <= at);
  if (found !== undefined) return { store, file: found.file, address: addressOf(found.file), at: found.at };
  const oldest = all.at(-1);
  const where = describePlace(container);
  throw new BackupNotFound(
    oldest === undefined
      ? `There is no backup in ${where} that Tradepost named. To restore another file, state its path.`
      : `There is no backup of that time in ${where}: the oldest is of ${formatTime(oldest.at)}.`,
  );
}

/** Separates one backup from the place that has it. */
async function splitPlace(place: BackupPlace): Promise<{ container: BackupPlace; file: string | null }> {
  if (place.kind === 'bucket') {
    const file = basename(place.prefix);
    if (parseBackupName(file) === null) return { container: place, file: null };
    return { container: { ...place, prefix: place.prefix.slice(0, -file.length - 1) }, file };
  }
  const stats = await stat(place.path).catch(() => undefined);
  if (stats === undefined) throw new BackupNotFound(`${place.path} does not exist, or cannot be read.`);
  if (stats.isDirectory()) return { container: place, file: null };
  return { container: { kind: 'directory', path: dirname(place.path) }, file: basename(place.path) };
}
