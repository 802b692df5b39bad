import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** How many bytes of a file are read ahead. */
const READ_BYTES = 128 * 1024;

/**
 * A temporary file for data that is too large for memory. It is written once, then read once. It has no name on disk,
 * so that the system frees its space when it is closed or the process ends.
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

  /**
   * Creates a file in `directory`, which is created if missing. Calls `onClose` once: when the file is closed, or if it
   * cannot be created.
   */
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

  /** The number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes at the end of the file. */
  async append(parts: readonly Uint8Array[]): Promise<void> {
    const { bytesWritten } = await this.#file.writev(parts as Uint8Array[], this.#bytes);
    const expected = parts.reduce((sum, { length }) => sum + length, 0);
    this.#bytes += bytesWritten;
    if (bytesWritten < expected) {
      await this.append([Buffer.concat(parts).subarray(bytesWritten)]);
    }
  }

  /** Reads the file from the beginning. */
  read(): Readable {
    return this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
  }

  /** Closes the file and frees its space. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
    await this.#file.close();
  }
}
