import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { messageOf } from '../../shared/error-message.ts';
import { UnusableFile } from '../parsed.ts';

const MIB = 1024 * 1024;
const MAX_PARTS = 10_000;
/** Sheets compress to a tenth or a thirtieth; what compresses much better than that is an attack. */
const MAX_RATIO = 250;
/** Smaller parts may compress to anything. */
const UNSUSPICIOUS_BYTES = 16 * MIB;

export interface ZipOptions {
  /** The most bytes that all parts which are read may unpack to. */
  maximumBytes: number;
  /** Awaited before each unpacked chunk, with its bytes. */
  beforeChunk?: ((bytes: number) => Promise<void>) | undefined;
}

/**
 * The parts of a ZIP archive by name, read on demand and in bounded memory. Their names are
 * case-insensitive, as in an Excel workbook.
 */
export class ZipParts {
  readonly #path: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #options: ZipOptions;
  #unpackedBytes = 0;

  private constructor(path: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>, options: ZipOptions) {
    this.#path = path;
    this.#zip = zip;
    this.#entries = entries;
    this.#options = options;
  }

  /** @throws {UnusableFile} if the archive is damaged, or has too many parts */
  static async open(path: string, options: ZipOptions): Promise<ZipParts> {
    let zip: ZipFile | undefined;
    try {
      zip = await openPromise(path, { autoClose: false, validateEntrySizes: true });
      if (zip.entryCount > MAX_PARTS) throw new UnusableFile(`${path}: The ZIP archive has too many parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        const name = entry.fileName.toLowerCase();
        if (!entries.has(name)) entries.set(name, entry);
      }
      return new ZipParts(path, zip, entries, options);
    } catch (error) {
      zip?.close();
      throw damaged(path, error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** The unpacked size of a part in bytes; 0 if there is no such part. */
  sizeOf(name: string): number {
    return this.#entries.get(name.toLowerCase())?.uncompressedSize ?? 0;
  }

  /**
   * Unpacks a part.
   * @throws {UnusableFile} if there is no such part, if it is damaged or encrypted, or if it unpacks to more
   *   than is allowed
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const path = this.#path;
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw new UnusableFile(`${path}: The workbook lacks its part ${name}`);
    if (entry.isEncrypted()) throw new UnusableFile(`${path}: The workbook has a password; save it without`);
    this.#requireBounded(entry);
    let checksum = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      // The stream fails if the part has another size than its entry states.
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        checksum = crc32(chunk, checksum);
        await this.#options.beforeChunk?.(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw damaged(path, error);
    }
    if (checksum !== entry.crc32) throw damaged(path, new Error(`${name} has another checksum`));
  }

  close(): void {
    this.#zip.close();
  }

  #requireBounded({ compressedSize, uncompressedSize }: Entry): void {
    this.#unpackedBytes += uncompressedSize;
    const { maximumBytes } = this.#options;
    if (this.#unpackedBytes > maximumBytes) {
      const maximum = Math.floor(maximumBytes / MIB);
      throw new UnusableFile(`${this.#path}: The file unpacks to more than the limit of ${maximum} MB`);
    }
    if (uncompressedSize > UNSUSPICIOUS_BYTES && uncompressedSize > MAX_RATIO * compressedSize) {
      throw new UnusableFile(
        `${this.#path}: The file unpacks to more than ${MAX_RATIO} times its size; save the sheet as CSV (UTF-8)`,
      );
    }
  }
}

function damaged(path: string, error: unknown): unknown {
  if (error instanceof UnusableFile) return error;
  return new UnusableFile(`${path}: The workbook is damaged or incomplete (${messageOf(error)})`);
}
