import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BudgetExceeded } from '../budgets/budgets.ts';
import type { Config } from '../config.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';

const ID = /^[0-9a-f-]{36}$/;
const NAME = /^(-?\d+)-([0-9a-f-]{36})$/;
/** An import fails if nothing arrives for this long. */
const MAX_IDLE_MS = 30_000;
const MEASURED_EVERY = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

export interface ImportKey {
  merchantId: number;
  id: string;
}

/** Check ids from requests, since they become parts of file names. */
export function isImportId(id: string): boolean {
  return ID.test(id);
}

/** Returns the error for a file that is larger than `MAX_UPLOAD`. */
export function fileTooLarge(maximumBytes: number): DomainError {
  return errors.file_too_large(maximumBytes / MIB);
}

/** Returns the error for a file with which the merchant's files would exceed the budget for disk space. */
export function spaceFull(maximumBytes: number): BudgetExceeded {
  const advice = 'Import or discard the files that you uploaded: they are stored for a day.';
  return new BudgetExceeded('import_bytes', maximumBytes, { advice });
}

/** The directory of uploaded files. Only the server's user has access. */
export class ImportFiles {
  readonly #directory: string;

  constructor({ dataDirectory }: Pick<Config, 'dataDirectory'>) {
    this.#directory = join(dataDirectory, 'imports');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }

  pathOf({ merchantId, id }: ImportKey): string {
    return join(this.#directory, `${merchantId}-${id}`);
  }

  /**
   * Writes a stream to an import's file. If it throws, the caller must remove the file, and the stream stays
   * open unless it stalled.
   * @throws {DomainError} `file_too_large` once the file has more than `fileBytes`, `budget_exceeded` once
   *   all files of the merchant have more than `merchantBytes`
   */
  async receive(
    key: ImportKey,
    source: Source,
    { fileBytes, merchantBytes }: { fileBytes: number; merchantBytes: number },
  ): Promise<FileContent> {
    let maxFileBytes = 0;
    let measuredAtByte = Number.NEGATIVE_INFINITY;
    const file = await open(this.pathOf(key), 'wx', 0o600);
    try {
      return await readContent(source, fileBytes, async (chunk, bytes) => {
        if (bytes > measuredAtByte + MEASURED_EVERY) {
          // Another process may receive a file of the same merchant at the same time.
          maxFileBytes = bytes - chunk.length + merchantBytes - (await this.bytesOf(key.merchantId));
          measuredAtByte = bytes;
        }
        if (bytes > maxFileBytes) throw spaceFull(merchantBytes);
        await file.appendFile(chunk);
      });
    } finally {
      await file.close();
    }
  }

  async exists(path: string): Promise<boolean> {
    return (await stat(path).catch(() => undefined)) !== undefined;
  }

  /** In bytes, on this machine. */
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

  async remove(key: ImportKey): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async list(): Promise<(ImportKey & { modifiedAt: number })[]> {
    const found: (ImportKey & { modifiedAt: number })[] = [];
    for (const name of await readdir(this.#directory)) {
      const [, merchantId, id = ''] = NAME.exec(name) ?? [];
      const stats = await stat(join(this.#directory, name)).catch(() => undefined);
      if (merchantId === undefined || stats === undefined) continue;
      found.push({ merchantId: Number(merchantId), id, modifiedAt: stats.mtimeMs });
    }
    return found;
  }
}

export interface Source {
  stream: Readable;
  /** Ends reading with an error, and closes the connection. */
  abort(error: Error): void;
}

/** `sha256` is in hexadecimal. */
export interface FileContent {
  bytes: number;
  sha256: string;
}

/**
 * Reads a stream to its end, and passes each chunk to `take` with the number of bytes so far. If it throws,
 * the stream stays open unless it stalled.
 * @throws {DomainError} `file_too_large` once the stream has more than `maximumBytes`
 */
export async function readContent(
  { stream, abort }: Source,
  maximumBytes: number,
  take: (chunk: Buffer, bytes: number) => Promise<void> = async () => {},
): Promise<FileContent> {
  const sha256 = createHash('sha256');
  const idle = setTimeout(() => abort(errors.request_timeout()), MAX_IDLE_MS);
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      idle.refresh();
      bytes += chunk.length;
      if (bytes > maximumBytes) throw fileTooLarge(maximumBytes);
      sha256.update(chunk);
      await take(chunk, bytes);
    }
    return { bytes, sha256: sha256.digest('hex') };
  } finally {
    clearTimeout(idle);
  }
}
