import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import type { FoundTable, Rejection } from '../files/parsed.ts';
import type { ImportSummary } from '../files/run-import.ts';
import type { ImportKey } from './import-files.ts';
import type { Step } from './import-state.ts';
import { insertRejection, type RejectionRow, updateProgress } from './queries.ts';

const MAX_REJECTIONS = 10_000;

/** The import was canceled or deleted while a step of it ran. */
export class ImportCanceled extends Error {
  override name = 'ImportCanceled';
}

interface Reading {
  /** 0 to 1. */
  progress: number;
  format: string | null;
  ignoredColumns: readonly string[];
  found: FoundTable | undefined;
}

export class StepResult {
  readonly #step: ImportKey & { state: Step };
  readonly #unstored: Omit<RejectionRow, 'position'>[] = [];
  #stored = 0;
  #listed = 0;
  #unlisted = 0;
  #summary: ImportSummary = { created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };
  #reading: Reading = { progress: 0, format: null, ignoredColumns: [], found: undefined };

  constructor({ merchantId, id, state }: ImportKey & { state: Step }) {
    this.#step = { merchantId, id, state };
  }

  get found(): FoundTable | undefined {
    return this.#reading.found;
  }

  /** As JSON. */
  get summary(): string {
    return JSON.stringify(this.#summary);
  }

  count(summary: ImportSummary): void {
    this.#summary = summary;
  }

  reject(rejections: readonly Rejection[]): void {
    for (const { line, column, value, reason, identifier = '' } of rejections) {
      if (this.#listed === MAX_REJECTIONS) {
        this.#unlisted += 1;
        continue;
      }
      this.#listed += 1;
      const { merchantId: merchant_id, id: import_id } = this.#step;
      this.#unstored.push({ merchant_id, import_id, line, name: column ?? '', value, reason, identifier });
    }
  }

  /** Takes effect with the next `record`. */
  setReading(reading: Reading): void {
    this.#reading = reading;
  }

  /**
   * Stores all of this, and runs `work` in the same transaction.
   * @throws {ImportCanceled} if the import is no longer in this step; then nothing is stored
   */
  async record(
    services: { database: Database; now: () => number },
    work: (context: WriteContext) => Promise<void> = async () => {},
  ): Promise<void> {
    // In a batch, rows that cannot be read are rejected before the others.
    const rejections = this.#unstored
      .toSorted((one, other) => one.line - other.line)
      .map((rejection, index) => ({ ...rejection, position: this.#stored + 1 + index }));
    const { progress, format, ignoredColumns, found } = this.#reading;
    const row = {
      ...this.#step,
      progress,
      format,
      ignoredColumns: JSON.stringify(ignoredColumns),
      found: found === undefined ? null : JSON.stringify(found),
      summary: this.summary,
      unlisted: this.#unlisted,
    };
    const store = async (context: WriteContext): Promise<void> => {
      const { connection } = context;
      if ((await connection.run(updateProgress, row)) === 0) throw new ImportCanceled();
      await connection.runEach(insertRejection, rejections);
      await work(context);
    };
    const { merchantId } = this.#step;
    await runVerb(services, { merchantId, who: SERVICE }, store, undefined);
    this.#stored += rejections.length;
    this.#unstored.splice(0, rejections.length);
  }
}
