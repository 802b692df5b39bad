import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';

const ID = /^[0-9a-f-]{36}$/;
const NAME = /^(\d+)-([0-9a-f-]{36})(\.rejects\.csv)?$/;
/** A connection that brings nothing for so long is given up. */
const SILENCE_MS = 30_000;

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
   * Writes what comes to an upload's file; resolves to its size. What did not come to its end leaves nothing.
   * @throws {FileTooLarge} as soon as more came than may; the stream is still open then
   */
  async receive(key: UploadKey, stream: Readable, maximumBytes: number): Promise<number> {
    const path = this.pathOf(key);
    const file = await open(path, 'wx', 0o600);
    const silence = setTimeout(() => stream.destroy(new Error('nothing more came')), SILENCE_MS);
    let bytes = 0;
    try {
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        silence.refresh();
        bytes += chunk.length;
        if (bytes > maximumBytes) throw new FileTooLarge();
        await file.appendFile(chunk);
      }
      await file.close();
      return bytes;
    } catch (error) {
      await file.close();
      await this.remove(key);
      throw error;
    } finally {
      clearTimeout(silence);
    }
  }

  async exists(path: string): Promise<boolean> {
    return (await stat(path).catch(() => undefined)) !== undefined;
  }

  /** Removes the file, and by default what was rejected of it too. */
  async remove(key: UploadKey, { rejects = true } = {}): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    if (rejects) await rm(this.rejectsPathOf(key), { force: true });
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
