import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

const LINK = 'a symbolic link, which is not followed';

/** The path must not be written to or replaced. The message completes “PATH is …”. */
export class UnsafeOutput extends Error {
  override name = 'UnsafeOutput';
}

/**
 * A file that appears at its path when it is complete: a new file in the same directory is renamed. It
 * replaces a regular file, and never follows a symbolic link to one. A pipe or character device, such as
 * /dev/stderr or /dev/null, is written to directly.
 */
export class OutputFile {
  readonly #path: string;
  /** Undefined for a pipe or a character device. */
  readonly #temporaryPath: string | undefined;
  readonly #device: FileHandle | undefined;
  #stream: WriteStream | undefined;

  private constructor(path: string, device: FileHandle | undefined) {
    this.#path = path;
    this.#device = device;
    this.#temporaryPath = device === undefined ? `${path}.${randomUUID()}.tmp` : undefined;
  }

  /**
   * Creates no file yet.
   * @throws {UnsafeOutput} for a path that must not be written to, and system errors
   */
  static async at(path: string): Promise<OutputFile> {
    const stats = await lstat(path).catch(ifMissing);
    if (stats === undefined || stats.isFile()) return new OutputFile(path, undefined);
    if (stats.isDirectory()) throw new UnsafeOutput('a directory');
    // Opens without creating or truncating, so that nothing changes.
    const handle = await open(path, constants.O_WRONLY | constants.O_NOCTTY).catch((error) => {
      throw stats.isSymbolicLink() && isMissing(error) ? new UnsafeOutput(LINK) : error;
    });
    const target = await handle.stat();
    if (target.isFIFO() || target.isCharacterDevice()) return new OutputFile(path, handle);
    await handle.close();
    throw new UnsafeOutput(stats.isSymbolicLink() ? LINK : 'not a regular file');
  }

  /** Only the owner can read the file that the stream creates (mode 0600). */
  stream(): WriteStream {
    // `wx` neither follows a link nor opens a file that exists.
    this.#stream ??=
      this.#device === undefined
        ? createWriteStream(this.#temporaryPath ?? this.#path, { flags: 'wx', mode: 0o600 })
        : createWriteStream('', { fd: this.#device });
    return this.#stream;
  }

  /** If `stream` was called, ends it and moves the file to its path. @throws system errors */
  async commit(): Promise<void> {
    try {
      if (this.#stream === undefined) {
        await this.#device?.close();
        return;
      }
      this.#stream.end();
      await finished(this.#stream);
      if (this.#temporaryPath !== undefined) await rename(this.#temporaryPath, this.#path);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** The path stays as it was. */
  async discard(): Promise<void> {
    const stream = this.#stream?.destroy();
    if (this.#temporaryPath === undefined) {
      if (stream === undefined) await this.#device?.close();
      return;
    }
    // The file may still be opening, and would be created after its removal.
    if (stream?.closed === false) await new Promise((closed) => stream.once('close', closed));
    await rm(this.#temporaryPath, { force: true });
  }
}

function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
