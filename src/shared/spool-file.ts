import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** How much of a file is read ahead of its reader. */
const READ_BYTES = 128 * 1024;

/**
 * A temporary file for what is too large to keep in memory: written once, then read once. It has no name on disk,
 * so the system frees its space when it is closed or the process ends.
 */
export class SpoolFile {
  readonly #file: FileHandle;
  readonly #onClose: () => void;
  #bytes = 0;
  #closed = false;

  private constructor(file: FileHandle, onClose: () => void) {
    this.#file = file;
    this.#onClose = onClose;
  }

  /** Creates a file in `directory`, which is created if it is missing. `onClose` runs once, when it is closed. */
  static async create(directory: string, onClose: () => void): Promise<SpoolFile> {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, randomUUID());
      const file = await open(path, 'wx+', 0o600);
      await unlink(path).catch(async (error) => {
        await file.close();
        throw error;
      });
      return new SpoolFile(file, onClose);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  /** How many bytes were written. */
  get bytes(): number {
    return this.#bytes;
  }

  async append(parts: readonly Uint8Array[]): Promise<void> {
    const { bytesWritten } = await this.#file.writev(parts as Uint8Array[], this.#bytes);
    const expected = parts.reduce((sum, { length }) => sum + length, 0);
    this.#bytes += bytesWritten;
    if (bytesWritten < expected) {
      await this.append([Buffer.concat(parts).subarray(bytesWritten)]);
    }
  }

  /** The whole content. */
  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
  }

  /** Frees the file. The second time does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
    await this.#file.close();
  }
}
