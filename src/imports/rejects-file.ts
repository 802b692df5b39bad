import { messageOf } from '../shared/error-message.ts';
import { JSON_NUMBER } from '../shared/numbers.ts';
import { OutputFile, UnsafeOutput } from '../shared/output-file.ts';
import type { Rejection } from './parsed.ts';
import { csvLine } from './write-csv.ts';

/** The list of rejected rows could not be written; the message is for the operator. */
export class RejectsUnwritable extends Error {
  override name = 'RejectsUnwritable';
}

const HEADER = csvLine(['line', 'column', 'value', 'reason']);
/** The maximum size of the last line. */
const LAST_LINE_BYTES = 100;

/** Writes the list of rejected items as CSV. Creates the file when the list is complete, if it is not empty. */
export class RejectsFile {
  readonly path: string;
  readonly #file: OutputFile;
  readonly #maximumBytes: number;
  #bytes = 0;
  #unlisted = 0;
  #failure: Error | undefined;

  private constructor(path: string, file: OutputFile, maximumBytes: number) {
    this.path = path;
    this.#file = file;
    this.#maximumBytes = maximumBytes;
  }

  /**
   * Opens a list of at most `maximumBytes`. Its last line says how many rejected items are not listed.
   * @throws {RejectsUnwritable} if the path must not be replaced, such as a directory or a symbolic link to a file
   */
  static async open(path: string, maximumBytes = Number.POSITIVE_INFINITY): Promise<RejectsFile> {
    try {
      return new RejectsFile(path, await OutputFile.at(path), maximumBytes);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** Adds a rejected item with all reasons. */
  write(rejections: Rejection[]): void {
    if (this.#failure !== undefined) throw unwritable(this.path, this.#failure);
    if (this.#bytes === 0) {
      this.#file.stream().on('error', (error) => {
        this.#failure = error;
      });
      this.#append(HEADER);
    }
    const text = rejections
      .map(({ line, column, value, reason }) =>
        csvLine([line, escapeFormulas(column ?? ''), escapeFormulas(value), escapeFormulas(reason)]),
      )
      .join('');
    const isFull =
      this.#unlisted > 0 || this.#bytes + Buffer.byteLength(text) > this.#maximumBytes - LAST_LINE_BYTES;
    if (isFull) this.#unlisted += 1;
    else this.#append(text);
  }

  async close(): Promise<void> {
    if (this.#unlisted > 0) {
      this.#append(csvLine([null, null, null, `${this.#unlisted} more not listed`]));
    }
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#file.commit();
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  #append(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    this.#file.stream().write(text);
  }
}

function unwritable(path: string, error: unknown): RejectsUnwritable {
  if (error instanceof UnsafeOutput) {
    return new RejectsUnwritable(`Cannot write the rejected rows to ${path}: it is ${error.message}.`);
  }
  return new RejectsUnwritable(`Cannot write the rejected rows to ${path}: ${messageOf(error)}.`);
}

/**
 * Characters that start a formula, including full-width forms, wherever a spreadsheet may start a cell: at the
 * beginning, and after whitespace, invisible characters, quotes and all usual delimiters.
 */
const FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"'“”„«»])[=+\-@＝＋－＠]/gu;
/** Some spreadsheets drop these characters and interpret the rest. */
const LEADING_CONTROL = /^[\t\r]/;

/** Puts an apostrophe before each character that could start a formula. Returns numbers unchanged. */
function escapeFormulas(text: string): string {
  if (JSON_NUMBER.test(text)) return text;
  return text.replace(FORMULA, "'$&").replace(LEADING_CONTROL, "'$&");
}
