import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { JSON_NUMBER } from '../json-number.ts';
import type { Rejection } from './parsed.ts';
import { csvLine } from './write-csv.ts';

/** The list of rejected rows could not be written; the message is for the operator. */
export class RejectsUnwritable extends Error {
  override name = 'RejectsUnwritable';
}

/** A list of rejected rows, CSV: made at the first of them. */
export class RejectsFile {
  readonly path: string;
  readonly #maximumBytes: number;
  #bytes = 0;
  #stream: WriteStream | undefined;
  #failure: Error | undefined;

  /** Beyond `maximumBytes`, what is rejected is no longer listed, and the last line says so. */
  constructor(path: string, maximumBytes = Number.POSITIVE_INFINITY) {
    this.path = path;
    this.#maximumBytes = maximumBytes;
  }

  write(rejections: Rejection[]): void {
    if (this.#failure !== undefined) throw this.#unwritable(this.#failure);
    if (this.#stream === undefined) {
      this.#stream = createWriteStream(this.path, { mode: 0o600 });
      this.#stream.on('error', (error) => {
        this.#failure = error;
      });
      this.#stream.write(csvLine(['line', 'column', 'value', 'reason']));
    }
    for (const { line, column, value, reason } of rejections) {
      if (this.#bytes > this.#maximumBytes) return;
      const text = csvLine([line, harmless(column ?? ''), harmless(value), reason]);
      this.#bytes += text.length;
      this.#stream.write(text);
      if (this.#bytes > this.#maximumBytes) {
        this.#stream.write(csvLine([line, null, null, 'there are more, which are not listed']));
      }
    }
  }

  async close(): Promise<void> {
    if (this.#stream === undefined) return;
    if (this.#failure !== undefined) throw this.#unwritable(this.#failure);
    this.#stream.end();
    try {
      await once(this.#stream, 'close');
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  #unwritable(cause: unknown): RejectsUnwritable {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    return new RejectsUnwritable(`The rejected rows cannot be written to ${this.path}: ${reason}.`);
  }
}

/** Text that a spreadsheet takes for text: what it would take for a formula begins with an apostrophe. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !JSON_NUMBER.test(text) ? `'${text}` : text;
}
