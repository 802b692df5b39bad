import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot, type Engine } from './engine.ts';

const directoryOf = (database: string): string => join(dataRoot, database);

/** Each database is a data directory. The engine runs inside the service. */
export async function sqlite(): Promise<Engine> {
  const drop = async (database: string): Promise<void> =>
    rmSync(directoryOf(database), { recursive: true, force: true });
  return {
    name: 'sqlite',
    description: `SQLite ${process.versions.sqlite}`,
    settings: (database) => ({ DATA_DIR: directoryOf(database), DATABASE_URL: '' }),
    has: async (database) => existsSync(directoryOf(database)),
    recreate: async (database) => {
      await drop(database);
      mkdirSync(directoryOf(database), { recursive: true });
    },
    rename: async (database, name) => renameSync(directoryOf(database), directoryOf(name)),
    drop,
    // Closing a database moves its log to this file.
    size: async (database) => statSync(join(directoryOf(database), 'tradepost.db')).size,
    cpuSeconds: () => 0,
    [Symbol.asyncDispose]: async () => {},
  };
}
