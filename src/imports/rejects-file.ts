import { JSON_NUMBER } from '../shared/json-number.ts';
import { OutputFile, UnsafeOutput } from '../shared/output-file.ts';
import type { Rejection } from './parsed.ts';
import { csvLine } from './write-csv.ts';

/** The list of rejected rows could not be written; the message is for the operator. */
export class RejectsUnwritable extends Error {
  override name = 'RejectsUnwritable';
}

const HEADER = csvLine(['line', 'column', 'value', 'reason']);
/** The longest that the last line may be. */
const LAST_LINE_BYTES = 100;

/** A list of rejected rows, CSV. The file appears when it is complete, and only if a row was rejected. */
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
   * The file has at most `maximumBytes`: rows beyond that are not listed, and the last line says how many.
   * @throws {RejectsUnwritable} if the path is a symbolic link to a file or something else not to be replaced
   */
  static async open(path: string, maximumBytes = Number.POSITIVE_INFINITY): Promise<RejectsFile> {
    try {
      return new RejectsFile(path, await OutputFile.at(path), maximumBytes);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** Lists one rejected row, with every reason. */
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
        csvLine([line, harmless(column ?? ''), harmless(value), harmless(reason)]),
      )
      .join('');
    const isFull =
      this.#unlisted > 0 || this.#bytes + Buffer.byteLength(text) > this.#maximumBytes - LAST_LINE_BYTES;
    if (isFull) this.#unlisted += 1;
    else this.#append(text);
  }

  async close(): Promise<void> {
    if (this.#unlisted > 0) {
      const rows = this.#unlisted === 1 ? 'row was' : 'rows were';
      this.#append(csvLine([null, null, null, `and ${this.#unlisted} more ${rows} rejected`]));
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
    return new RejectsUnwritable(`The rejected rows cannot be written to ${path}: it is ${error.message}.`);
  }
  const reason = error instanceof Error ? error.message : 'unknown';
  return new RejectsUnwritable(`The rejected rows cannot be written to ${path}: ${reason}.`);
}

/**
 * Characters that make a cell a formula, full-width forms included, wherever some spreadsheet may see the
 * beginning of a cell: at the beginning, and after whitespace, invisible characters, quotes and any usual delimiter.
 */
const FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"'“”„«»])[=+\-@＝＋－＠]/gu;
/** Some spreadsheets drop these, and look at what follows. */
const LEADING_CONTROL = /^[\t\r]/;

/** Text that a spreadsheet does not run: an apostrophe before what would begin a formula. Numbers are kept. */
function harmless(text: string): string {
  if (JSON_NUMBER.test(text)) return text;
  return text.replace(FORMULA, "'$&").replace(LEADING_CONTROL, "'$&");
}
