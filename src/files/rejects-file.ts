import { messageOf } from '../shared/error-message.ts';
import { escapeFormulas } from '../shared/formulas.ts';
import { OutputFile, UnsafeOutput } from '../shared/output-file.ts';
import type { Rejection } from './parsed.ts';
import { csvLine } from './write-csv.ts';

/** The list of rejected rows could not be written; the message is for the operator. */
export class RejectsUnwritable extends Error {
  override name = 'RejectsUnwritable';
}

export const REJECTS_HEADER = csvLine(['line', 'column', 'value', 'reason']);

/** Spreadsheets cannot interpret the line as a formula. */
export function rejectsLine({ line, column, value, reason }: Rejection): string {
  return csvLine([line, escapeFormulas(column ?? ''), escapeFormulas(value), escapeFormulas(reason)]);
}

/** Writes the rejected items as CSV. Creates the file once the list is complete, if it is not empty. */
export class RejectsFile {
  readonly path: string;
  readonly #file: OutputFile;
  #isEmpty = true;
  #failure: Error | undefined;

  private constructor(path: string, file: OutputFile) {
    this.path = path;
    this.#file = file;
  }

  /** @throws {RejectsUnwritable} if the path must not be replaced, such as a directory or a link to a file */
  static async open(path: string): Promise<RejectsFile> {
    try {
      return new RejectsFile(path, await OutputFile.at(path));
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  write(rejections: Rejection[]): void {
    if (this.#failure !== undefined) throw unwritable(this.path, this.#failure);
    if (this.#isEmpty) {
      this.#isEmpty = false;
      this.#file.stream().on('error', (error) => {
        this.#failure = error;
      });
      this.#file.stream().write(REJECTS_HEADER);
    }
    this.#file.stream().write(rejections.map(rejectsLine).join(''));
  }

  async close(): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#file.commit();
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}

function unwritable(path: string, error: unknown): RejectsUnwritable {
  if (error instanceof UnsafeOutput) {
    return new RejectsUnwritable(`Cannot write the rejected rows to ${path}: it is ${error.message}.`);
  }
  return new RejectsUnwritable(`Cannot write the rejected rows to ${path}: ${messageOf(error)}.`);
}
