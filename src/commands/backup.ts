import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../backups/back-up.ts';
import { BackupRunner } from '../backups/backup-runner.ts';
import { describePlace } from '../backups/backup-settings.ts';
import type { Config } from '../config.ts';
import { sqliteFile } from '../database/open-database.ts';
import { type Backup, backUpSqlite } from '../database/sqlite/backup.ts';
import { messageOf } from '../shared/error-message.ts';
import { formatTime } from '../shared/timestamps.ts';
import { CommandError, type Context, createProgressBar, readConfig } from './context.ts';
import { stoppable } from './until-signal.ts';

export function backupCommand(context: Context): Command {
  return new Command('backup')
    .description('back up the SQLite database while it is in use, and check the backup')
    .argument('[file]', 'output file; must not exist; without it, backs up to the place of BACKUP_TO')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, { json }: { json?: true }) => {
      const config = readConfig(context);
      if (config.postgres !== null) {
        throw new CommandError(
          'This command backs up SQLite databases only. For PostgreSQL, use pg_dump, pgBackRest or WAL archiving: see docs/how-to/back-up.md.',
        );
      }
      await (file === undefined
        ? backUpToPlace(context, config, json === true)
        : backUpToFile(context, config, { target: resolve(file), json: json === true }));
    });
}

async function backUpToFile(
  context: Context,
  config: Config,
  { target, json }: { target: string; json: boolean },
): Promise<void> {
  const startedAt = performance.now();
  const backup = await withProgress((onProgress, signal) =>
    backUpSqlite(sqliteFile(config.dataDirectory), target, { signal, onProgress }),
  );
  const keyFile = existsSync(config.encryptionKeyFile) ? config.encryptionKeyFile : null;
  const seconds = secondsSince(startedAt);
  if (json) {
    const { schemaVersion: schema_version, bytes, rows } = backup;
    const result = { file: target, bytes, schema_version, rows, seconds, separate_key_file: keyFile };
    context.print(JSON.stringify(result));
    return;
  }
  context.print(describe(target, backup, seconds));
  printKeyFile(context, keyFile);
}

async function backUpToPlace(context: Context, config: Config, json: boolean): Promise<void> {
  const { backups: settings, dataDirectory } = config;
  if (settings === null)
    throw new CommandError('BACKUP_TO is not set: set it, or state an output file, such as backup.db.');
  const startedAt = performance.now();
  const runner = new BackupRunner({
    dataDirectory,
    settings,
    now: context.now,
    backUp: (task, signal) => backUp(task, { signal }),
  });
  const backup = await withProgress((_, signal) => runner.run(signal)).catch((error) => {
    throw error instanceof CommandError
      ? error
      : new CommandError(`There is no new backup: ${messageOf(error).replace(/\.$/, '')}.`);
  });
  if (backup === null) throw new CommandError('There is no new backup: another one is running.');
  const { file, at, bytes, removed, notRemoved } = backup;
  const to = describePlace(settings.place);
  const keyFile = existsSync(config.encryptionKeyFile) ? config.encryptionKeyFile : null;
  const seconds = secondsSince(startedAt);
  if (json) {
    const result = { file, to, at: formatTime(at), bytes, removed, seconds, separate_key_file: keyFile };
    context.print(JSON.stringify(result));
  } else {
    context.print(
      `${file} in ${to} is complete and verified: ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s; ${removed.length} old ones deleted.`,
    );
    printKeyFile(context, keyFile);
  }
  if (notRemoved !== null) context.warn(`tradepost: old backups could not be deleted: ${notRemoved}`);
}

async function withProgress<T>(
  work: (onProgress: (done: number, all: number) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const bar = createProgressBar();
  if (process.stderr.isTTY) bar.start(1, 0);
  const onProgress = (done: number, all: number): void => {
    bar.setTotal(all);
    bar.update(done);
  };
  return await stoppable(
    (signal) => work(onProgress, signal),
    () => new CommandError('Stopped. No backup was created.'),
  ).finally(() => bar.stop());
}

function secondsSince(startedAt: number): number {
  return Number(((performance.now() - startedAt) / 1000).toFixed(1));
}

function printKeyFile(context: Context, keyFile: string | null): void {
  if (keyFile === null) return;
  context.print(
    `The backup does not contain the key file ${keyFile}, and cannot be served without it. Keep a copy of that file apart from the backups, and replace it when the file changes.`,
  );
}

function describe(target: string, { bytes, rows, schemaVersion }: Backup, seconds: number): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const some = ['merchants', 'products', 'campaigns', 'schedules'].map((table) => `${rows[table]} ${table}`);
  return `${target} is complete and verified: ${some.join(', ')}, ${all} rows in total; schema version ${schemaVersion}; ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s.`;
}
