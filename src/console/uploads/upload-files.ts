import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';

const ID = /^[0-9a-f-]{36}$/;
const NAME = /^(\d+)-([0-9a-f-]{36})(\.rejects\.csv(\.[0-9a-f-]{36}\.tmp)?)?$/;
/** A connection that brings nothing for so long is given up. */
const SILENCE_MS = 30_000;
const MEASURED_EVERY = 16 * 1024 * 1024;

/** The uploads of one merchant that a file belongs to. */
export interface UploadKey {
  merchantId: number;
  id: string;
}

/** Whether this can be an upload's id: what callers name goes to the database, and into names of files. */
export function isUploadId(id: string): boolean {
  return ID.test(id);
}

/** The file is larger than may be. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** The files of the merchant would take more space than they may. */
export class NoRoom extends Error {
  override name = 'NoRoom';
}

/** The directory of files that wait to be imported: in the data directory, and its owner's alone. */
export class UploadFiles {
  readonly #directory: string;

  constructor({ dataDirectory }: Pick<Config, 'dataDirectory'>) {
    this.#directory = join(dataDirectory, 'uploads');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }

  pathOf({ merchantId, id }: UploadKey): string {
    return join(this.#directory, `${merchantId}-${id}`);
  }

  rejectsPathOf(key: UploadKey): string {
    return `${this.pathOf(key)}.rejects.csv`;
  }

  /**
   * Writes what comes to an upload's file; resolves to its size. If it throws, the caller removes the file.
   * @throws {FileTooLarge} as soon as more than `file` bytes came, {NoRoom} as soon as all files of the merchant
   * would take more than `all`; the stream is still open then
   */
  async receive(key: UploadKey, stream: Readable, most: { file: number; all: number }): Promise<number> {
    let room = 0;
    let measuredAt = Number.NEGATIVE_INFINITY;
    const path = this.pathOf(key);
    const file = await open(path, 'wx', 0o600);
    const silence = setTimeout(() => stream.destroy(new Error('nothing more came')), SILENCE_MS);
    let bytes = 0;
    try {
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        silence.refresh();
        bytes += chunk.length;
        if (bytes > most.file) throw new FileTooLarge();
        if (bytes > measuredAt + MEASURED_EVERY) {
          // Another process may be receiving a file of the same merchant.
          room = bytes - chunk.length + most.all - (await this.bytesOf(key.merchantId));
          measuredAt = bytes;
        }
        if (bytes > room) throw new NoRoom();
        await file.appendFile(chunk);
      }
      return bytes;
    } finally {
      await file.close();
      clearTimeout(silence);
    }
  }

  async exists(path: string): Promise<boolean> {
    return (await stat(path).catch(() => undefined)) !== undefined;
  }

  /** What all files of a merchant take here, in bytes. */
  async bytesOf(merchantId: number): Promise<number> {
    const names = (await readdir(this.#directory)).filter((name) => name.startsWith(`${merchantId}-`));
    const sizes = names.map((name) =>
      stat(join(this.#directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  /** Removes the file, and by default what was rejected of it too. */
  async remove(key: UploadKey, { rejects = true } = {}): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    if (!rejects) return;
    // A list that was not completed has a longer name.
    const start = basename(this.rejectsPathOf(key));
    const lists = (await readdir(this.#directory)).filter((name) => name.startsWith(start));
    for (const name of lists) await rm(join(this.#directory, name), { force: true });
  }

  /** Every upload that has files here, and how old the oldest of them is. */
  async list(): Promise<(UploadKey & { modifiedAt: number })[]> {
    const found: (UploadKey & { modifiedAt: number })[] = [];
    for (const name of await readdir(this.#directory)) {
      const [, merchantId, id = ''] = NAME.exec(name) ?? [];
      const stats = await stat(join(this.#directory, name)).catch(() => undefined);
      if (merchantId === undefined || stats === undefined) continue;
      found.push({ merchantId: Number(merchantId), id, modifiedAt: stats.mtimeMs });
    }
    return found;
  }
}
