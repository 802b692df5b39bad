import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupName, parseBackupName } from './backup-name.ts';
import type { BackupPlace } from './backup-settings.ts';
import { BucketClient } from './bucket-client.ts';

export interface StoredBackup extends BackupName {
  bytes: number;
}

/** Where backups are. It has only complete ones. */
export interface BackupStore {
  /** Resolves to the backups that Tradepost named, the newest first. */
  list(): Promise<StoredBackup[]>;
  /** Stores a file of about `bytes`, which appears when it is complete and on disk. */
  put(file: string, source: AsyncIterable<Buffer>, bytes: number): Promise<void>;
  get(file: string): AsyncIterable<Uint8Array>;
  remove(file: string): Promise<void>;
}

/** Calls to a server end with `signal`. */
export function openBackupStore(
  place: BackupPlace,
  options: { signal: AbortSignal; timeoutMs?: number; retryMs?: number },
): BackupStore {
  return place.kind === 'directory'
    ? new DirectoryStore(place.path)
    : bucketStore(new BucketClient(place.bucket, options), place.prefix);
}

function bucketStore(client: BucketClient, prefix: string): BackupStore {
  return {
    list: async () => {
      const objects = await client.list(prefix);
      return newestFirst(
        objects.map(({ key, bytes }) => ({ name: parseBackupName(key.slice(prefix.length)), bytes })),
      );
    },
    put: (file, source, bytes) => client.put(`${prefix}${file}`, source, bytes),
    get: (file) => client.get(`${prefix}${file}`),
    remove: (file) => client.remove(`${prefix}${file}`),
  };
}

/** A directory, which the first backup creates. */
export class DirectoryStore implements BackupStore {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async list(): Promise<StoredBackup[]> {
    const entries = await readdir(this.path, { withFileTypes: true }).catch((error): Dirent[] => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const files = entries.filter((entry) => entry.isFile());
    const found = files.map(async ({ name: file }) => {
      const name = parseBackupName(file);
      const stats = name && (await stat(join(this.path, file)).catch(() => null));
      return { name: stats && name, bytes: stats?.size ?? 0 };
    });
    return newestFirst(await Promise.all(found));
  }

  async put(file: string, source: AsyncIterable<Buffer>): Promise<void> {
    await this.create();
    const draft = join(this.path, `${file}.partial`);
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        for await (const chunk of source) await handle.writeFile(chunk);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.adopt(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }

  get(file: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.path, file));
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.path, file), { force: true });
  }

  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  /** Moves a file of this directory, which is on disk, to its name. */
  async adopt(draft: string, file: string): Promise<void> {
    await rename(draft, join(this.path, file));
    await flushDirectory(this.path);
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

function newestFirst(found: { name: BackupName | null; bytes: number }[]): StoredBackup[] {
  return found
    .flatMap(({ name, bytes }) => (name === null ? [] : [{ ...name, bytes }]))
    .sort((one, other) => other.at - one.at || other.file.localeCompare(one.file));
}
