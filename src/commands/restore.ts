import { Command } from 'commander';
import { parsePlace } from '../backups/backup-settings.ts';
import { findBackup } from '../backups/find-backup.ts';
import { restoreBackup } from '../backups/restore.ts';
import type { Config } from '../config.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { openDatabaseReadOnly } from '../database/open-database.ts';
import { KeyFileUnusable } from '../encryption/key-file.ts';
import { requireUsedKeys } from '../key-management/used-keys.ts';
import { formatTime } from '../shared/timestamps.ts';
import { CommandError, type Context, readConfig } from './context.ts';
import { stoppable } from './until-signal.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

interface Options {
  at?: string;
  json?: true;
}

export function restoreCommand(context: Context): Command {
  return new Command('restore')
    .description('check a backup, and replace the SQLite database with it; the service must be stopped')
    .argument('<from>', 'directory or s3://bucket/prefix with backups, or one backup')
    .option('--at <time>', 'the newest backup at or before this time, such as 2026-01-31T18:00:00Z')
    .option('--json', 'print JSON')
    .action(async (from: string, { at, json }: Options) => {
      const config = readConfig(context);
      if (config.postgres !== null) {
        throw new CommandError(
          'This command restores SQLite databases only. For PostgreSQL, use pg_restore, and then "tradepost expire-cursors": see docs/how-to/back-up.md.',
        );
      }
      const place = parsePlace('from', from, config.bucketAccess);
      const time = at === undefined ? null : parseTime(at);
      const { dataDirectory, backupKey: key } = config;
      const { found, restored } = await stoppable(
        async (signal) => {
          const backup = await findBackup(place, time, signal);
          const options = { dataDirectory, key, now: context.now(), signal };
          return { found: backup, restored: await restoreBackup(backup, options) };
        },
        () => new CommandError('Stopped. Nothing was replaced.'),
      );
      const { schemaVersion, bytes, replaced } = restored;
      const missingKeys = schemaVersion >= SCHEMA_VERSION ? await describeMissingKeys(config) : null;
      if (json) {
        context.print(
          JSON.stringify({
            from: found.address,
            at: found.at === null ? null : formatTime(found.at),
            bytes,
            schema_version: schemaVersion,
            replaced,
            missing_keys: missingKeys,
          }),
        );
        return;
      }
      const of = found.at === null ? '' : ` of ${formatTime(found.at)}`;
      context.print(
        `${found.address}${of} was checked and restored: ${(bytes / 1e6).toFixed(1)} MB, schema version ${schemaVersion}.`,
      );
      if (schemaVersion < SCHEMA_VERSION) context.print('The next start migrates it.');
      if (replaced !== null)
        context.print(`The database before is ${replaced}: delete it when you no longer need it.`);
      if (missingKeys !== null) context.warn(`tradepost: the service will not start: ${missingKeys}`);
    });
}

function parseTime(text: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CommandError(
    `--at is "${text}": expected a time with its zone, such as 2026-01-31T18:00:00Z or 2026-01-31T18:00+01:00.`,
  );
}

/** Resolves to null if the key file has the keys of the database. */
async function describeMissingKeys(config: Config): Promise<string | null> {
  const database = await openDatabaseReadOnly(config);
  try {
    await database?.snapshot((reader) => requireUsedKeys(reader, config.encryptionKeyFile));
    return null;
  } catch (error) {
    if (error instanceof KeyFileUnusable) return error.message;
    throw error;
  } finally {
    await database?.close();
  }
}
