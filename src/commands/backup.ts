import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { sqliteFile } from '../database/open-database.ts';
import { type Backup, backUpSqlite } from '../database/sqlite/backup.ts';
import { CommandError, type Context, createProgressBar, readConfig } from './context.ts';

export function backupCommand(context: Context): Command {
  return new Command('backup')
    .description('back up the SQLite database while it is in use, and check the backup')
    .argument('<file>', 'output file; must not exist')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const startedAt = performance.now();
      const target = resolve(file);
      const config = readConfig(context);
      const backup = await backUp(config, target);
      const keyFile = existsSync(config.encryptionKeyFile) ? config.encryptionKeyFile : null;
      const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
      if (json) {
        const { schemaVersion: schema_version, bytes, rows } = backup;
        const result = { file: target, bytes, schema_version, rows, seconds, separate_key_file: keyFile };
        context.print(JSON.stringify(result));
        return;
      }
      context.print(describe(target, backup, seconds));
      if (keyFile !== null) {
        context.print(
          `The backup does not contain the key file ${keyFile}, and cannot be served without it. Keep a copy of that file apart from the backups, and replace it when the file changes.`,
        );
      }
    });
}

async function backUp({ postgres, dataDirectory }: Config, target: string): Promise<Backup> {
  if (postgres !== null) {
    throw new CommandError(
      'This command backs up SQLite databases only. For PostgreSQL, use pg_dump, pgBackRest or WAL archiving: see docs/how-to/back-up.md.',
    );
  }
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new CommandError('Stopped. No backup was created.'));
  const bar = createProgressBar();
  if (process.stderr.isTTY) bar.start(1, 0);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await backUpSqlite(sqliteFile(dataDirectory), target, {
      signal: stopping.signal,
      onProgress: (done, all) => {
        bar.setTotal(all);
        bar.update(done);
      },
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    bar.stop();
  }
}

function describe(target: string, { bytes, rows, schemaVersion }: Backup, seconds: number): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const some = ['merchants', 'products', 'campaigns', 'schedules'].map((table) => `${rows[table]} ${table}`);
  return `${target} is complete and verified: ${some.join(', ')}, ${all} rows in total; schema version ${schemaVersion}; ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s.`;
}
