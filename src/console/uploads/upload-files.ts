import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';

const ID = /^[0-9a-f-]{36}$/;
const NAME = /^(\d+)-([0-9a-f-]{36})(\.rejects\.csv(\.[0-9a-f-]{36}\.tmp)?)?$/;
/** An upload fails if nothing arrives for this long. */
const MAX_IDLE_MS = 30_000;
/** The merchant's files are measured again after this many bytes. */
const MEASURED_EVERY = 16 * 1024 * 1024;

/** Identifies an upload. */
export interface UploadKey {
  merchantId: number;
  id: string;
}

/** Whether a text has the format of an upload's id. Check ids from requests, since they become parts of file names. */
export function isUploadId(id: string): boolean {
  return ID.test(id);
}

/** The file is larger than `MAX_UPLOAD`. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** The merchant's files would exceed the budget for disk space. */
export class UploadSpaceFull extends Error {
  override name = 'UploadSpaceFull';
}

/** The directory of uploaded files within the data directory. Only the server's user has access. */
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
   * Writes a stream to an upload's file and resolves to its size. If it throws, the caller must remove the file,
   * and the stream stays open unless it stalled.
   * @throws {FileTooLarge} once the file has more than `fileBytes`, {UploadSpaceFull} once all files of the merchant
   *   have more than `merchantBytes`
   */
  async receive(
    key: UploadKey,
    stream: Readable,
    limits: { fileBytes: number; merchantBytes: number },
  ): Promise<number> {
    let maxFileBytes = 0;
    let measuredAtByte = Number.NEGATIVE_INFINITY;
    const path = this.pathOf(key);
    const file = await open(path, 'wx', 0o600);
    const idle = setTimeout(() => stream.destroy(new Error('the upload stalled')), MAX_IDLE_MS);
    let bytes = 0;
    try {
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        idle.refresh();
        bytes += chunk.length;
        if (bytes > limits.fileBytes) throw new FileTooLarge();
        if (bytes > measuredAtByte + MEASURED_EVERY) {
          // Another process may receive a file of the same merchant at the same time.
          maxFileBytes = bytes - chunk.length + limits.merchantBytes - (await this.bytesOf(key.merchantId));
          measuredAtByte = bytes;
        }
        if (bytes > maxFileBytes) throw new UploadSpaceFull();
        await file.appendFile(chunk);
      }
      return bytes;
    } finally {
      await file.close();
      clearTimeout(idle);
    }
  }

  async exists(path: string): Promise<boolean> {
    return (await stat(path).catch(() => undefined)) !== undefined;
  }

  /** Returns the size of all files of a merchant on this machine, in bytes. */
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

  /** Removes the file, and by default the list of its rejected rows. */
  async remove(key: UploadKey, { rejects = true } = {}): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    if (!rejects) return;
    // An incomplete list has a longer name.
    const start = basename(this.rejectsPathOf(key));
    const lists = (await readdir(this.#directory)).filter((name) => name.startsWith(start));
    for (const name of lists) await rm(join(this.#directory, name), { force: true });
  }

  /** Lists the upload that each file belongs to, and when the file was last modified. */
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
