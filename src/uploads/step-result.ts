import type { Connection, Database } from '../database/database.ts';
import type { Rejection } from '../imports/parsed.ts';
import type { ImportSummary } from '../imports/run-import.ts';
import { insertRejection, type RejectionRow, updateProgress } from './queries.ts';
import type { UploadKey } from './upload-files.ts';
import type { Step } from './upload-state.ts';

/** The maximum number of reasons for rejecting rows that are stored for each upload. */
export const MAX_REJECTIONS = 10_000;

/** The upload was canceled or deleted while a step of it ran. */
export class UploadCanceled extends Error {
  override name = 'UploadCanceled';
}

/** How far a step has read its file, and what it knows about it. */
export interface Reading {
  /** 0 to 1. */
  progress: number;
  format: string | null;
  ignoredColumns: readonly string[];
}

/** What a step has done so far: counts, rejected rows and progress. */
export class StepResult {
  readonly #step: UploadKey & { state: Step };
  readonly #unstored: Omit<RejectionRow, 'position'>[] = [];
  #stored = 0;
  #listed = 0;
  #unlisted = 0;
  #summary: ImportSummary = { created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };
  #reading: Reading = { progress: 0, format: null, ignoredColumns: [] };

  constructor({ merchantId, id, state }: UploadKey & { state: Step }) {
    this.#step = { merchantId, id, state };
  }

  /** The counts so far, as JSON. */
  get summary(): string {
    return JSON.stringify(this.#summary);
  }

  count(summary: ImportSummary): void {
    this.#summary = summary;
  }

  /** Adds the reasons for rejecting one product. */
  reject(rejections: readonly Rejection[]): void {
    for (const { line, column, value, reason, identifier = '' } of rejections) {
      if (this.#listed === MAX_REJECTIONS) {
        this.#unlisted += 1;
        continue;
      }
      this.#listed += 1;
      const { merchantId: merchant_id, id: upload_id } = this.#step;
      this.#unstored.push({ merchant_id, upload_id, line, name: column ?? '', value, reason, identifier });
    }
  }

  /** Where the step is in its file, from the next `record` on. */
  setReading(reading: Reading): void {
    this.#reading = reading;
  }

  /**
   * Stores all of this, and runs `work` in the same transaction.
   * @throws {UploadCanceled} if the upload is no longer in this step; then nothing is stored
   */
  async record(
    database: Database,
    work: (connection: Connection) => Promise<void> = async () => {},
  ): Promise<void> {
    // In a batch, rows that cannot be read are rejected before the others.
    const rejections = this.#unstored
      .toSorted((one, other) => one.line - other.line)
      .map((rejection, index) => ({ ...rejection, position: this.#stored + 1 + index }));
    const { progress, format, ignoredColumns } = this.#reading;
    const row = {
      ...this.#step,
      progress,
      format,
      ignoredColumns: JSON.stringify(ignoredColumns),
      summary: this.summary,
      unlisted: this.#unlisted,
    };
    await database.transaction(async (connection) => {
      if ((await connection.run(updateProgress, row)) === 0) throw new UploadCanceled();
      await connection.runEach(insertRejection, rejections);
      await work(connection);
    });
    this.#stored += rejections.length;
    this.#unstored.splice(0, rejections.length);
  }
}
