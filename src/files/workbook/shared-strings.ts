import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UnusableFile } from '../parsed.ts';
import { unescapeText } from './cell-text.ts';
import { MAX_TEXT } from './sheet-cells.ts';
import { readXmlTo } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const BLOCK_BYTES = 64 * 1024;
/** Blocks that stay in memory: 16 MiB. Further ones go to a file. */
const MEMORY_BLOCKS = 256;
/** Blocks of the file that are in memory: 4 MiB. */
const CACHED_BLOCKS = 64;
const MAX_STRINGS = 4 * 1024 * 1024;

/**
 * The different texts of a workbook, to which its cells refer by index. The first 16 MiB are in memory, and
 * the rest is in a file without a name, which vanishes with the process.
 */
export class SharedStrings {
  readonly #path: string;
  /** Where each text ends, in the bytes of all texts. */
  #ends = new Float64Array(1024);
  #count = 0;
  #bytes = 0;
  readonly #blocks: Buffer[] = [];
  /** The block that is being filled. */
  #last = Buffer.alloc(BLOCK_BYTES);
  #file: number | undefined;
  readonly #cache = new Map<number, Buffer>();

  /** The file is next to `path` if possible. */
  constructor(path: string) {
    this.#path = path;
  }

  /** @throws {UnusableFile} if there are too many */
  add(text: string): void {
    if (this.#count === MAX_STRINGS)
      throw new UnusableFile(`${this.#path}: The workbook has too many texts; save the sheet as CSV (UTF-8)`);
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(this.#last, this.#bytes % BLOCK_BYTES, from);
      from += copied;
      this.#bytes += copied;
      if (this.#bytes % BLOCK_BYTES === 0) this.#finishBlock();
    }
    if (this.#count === this.#ends.length) {
      const ends = new Float64Array(2 * this.#count);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.#count] = this.#bytes;
    this.#count += 1;
  }

  /** Returns undefined if there is no such text. */
  get(index: number): string | undefined {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count)) return undefined;
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const end = this.#ends[index] ?? 0;
    const parts: Buffer[] = [];
    for (let from = start; from < end; ) {
      const offset = from % BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES - offset, end - from);
      parts.push(this.#block(Math.floor(from / BLOCK_BYTES)).subarray(offset, offset + length));
      from += length;
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only.toString() : Buffer.concat(parts).toString();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #finishBlock(): void {
    const index = this.#bytes / BLOCK_BYTES - 1;
    if (index < MEMORY_BLOCKS) {
      this.#blocks.push(this.#last);
      this.#last = Buffer.alloc(BLOCK_BYTES);
      return;
    }
    this.#file ??= openUnnamed(this.#path);
    const position = (index - MEMORY_BLOCKS) * BLOCK_BYTES;
    for (let written = 0; written < BLOCK_BYTES; )
      written += writeSync(this.#file, this.#last, written, BLOCK_BYTES - written, position + written);
  }

  #block(index: number): Buffer {
    const block = this.#blocks[index] ?? this.#cache.get(index);
    if (block !== undefined) return block;
    if (index === Math.floor(this.#bytes / BLOCK_BYTES)) return this.#last;
    const [oldest] = this.#cache.keys();
    if (this.#cache.size === CACHED_BLOCKS && oldest !== undefined) this.#cache.delete(oldest);
    const read = this.#readBlock(index);
    this.#cache.set(index, read);
    return read;
  }

  #readBlock(index: number): Buffer {
    const block = Buffer.alloc(BLOCK_BYTES);
    const position = (index - MEMORY_BLOCKS) * BLOCK_BYTES;
    for (let read = 0; this.#file !== undefined && read < BLOCK_BYTES; )
      read += readSync(this.#file, block, read, BLOCK_BYTES - read, position + read);
    return block;
  }
}

/** Reads the texts of a workbook; with a limit, about the first `limit` bytes of their part. */
export async function readStrings(
  parts: ZipParts,
  part: string,
  strings: SharedStrings,
  limit: number,
): Promise<void> {
  let text = '';
  let isInText = false;
  let isPhonetic = false;
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of parts.read(part)) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  await readXmlTo(
    counted(),
    {
      open: (name) => {
        if (name === 'si') text = '';
        else if (name === 'rPh') isPhonetic = true;
        else if (name === 't') isInText = !isPhonetic;
      },
      text: (more) => {
        if (isInText && text.length < MAX_TEXT) text += more.slice(0, MAX_TEXT - text.length);
      },
      close: (name) => {
        if (name === 'si') strings.add(unescapeText(text));
        else if (name === 'rPh') isPhonetic = false;
        else if (name === 't') isInText = false;
      },
    },
    () => bytes > limit,
  );
}

/** Opens a file that no folder lists, so that it needs no cleaning up. */
function openUnnamed(path: string): number {
  for (const directory of [dirname(path), tmpdir()]) {
    const name = join(directory, `${process.pid}-${performance.now()}.texts`);
    try {
      const file = openSync(name, 'wx+', 0o600);
      rmSync(name);
      return file;
    } catch (error) {
      if (directory === tmpdir()) throw error;
    }
  }
  throw new Error('no folder for a temporary file');
}
