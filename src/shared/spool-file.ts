import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const READ_BYTES = 128 * 1024;

/**
 * Data that is too large for memory, written once, then read once. The file has no name on disk, so its space
 * is freed when it is closed or the process ends.
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

  /** Creates the directory too. Calls `onClose` once: when the file is closed or cannot be created. */
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

  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
  }

  /** Frees the space. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
    await this.#file.close();
  }
}
