import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Connection, Database } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { Metrics } from '../observability/metrics.ts';
import { ImportJobs } from './import-jobs.ts';
import {
  countRejections,
  countUploads,
  findChanges,
  findUpload,
  listRejections,
  listUploads,
  markCanceled,
  type StoredRejection,
  type UploadRow,
} from './queries.ts';
import { type Importer, startImport } from './start-import.ts';
import { removeUpload, sweepUploads } from './sweep-uploads.ts';
import { type Incoming, type StoreUpload, takeUpload } from './take-upload.ts';
import { isUploadId, UploadFiles, type UploadKey } from './upload-files.ts';
import { REPORT_TIMEOUT_MS, type Step } from './upload-state.ts';

const SWEEP_MS = 60 * 60 * 1000;
/** The maximum unpacked size, as a multiple of the maximum upload size. Catalogs compress to about a tenth. */
const MAX_UNPACKED_MULTIPLE = 10;

/** The services that uploads need. */
export interface UploadServices {
  database: Database;
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
}

/**
 * The product files that merchants upload, in the console or through the API, and their import. A file is on the machine
 * that received it, where it is also imported. Everything else about an upload is in the database, so that every process
 * can show and cancel it.
 */
export class Uploads {
  readonly #services: UploadServices;
  readonly #files: UploadFiles;
  readonly #jobs: ImportJobs;
  readonly #receiving = new Set<number>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(services: UploadServices) {
    const { config, metrics } = services;
    const { budgets } = config;
    const files = new UploadFiles(config);
    this.#services = services;
    this.#files = files;
    this.#jobs = new ImportJobs({ ...services, settings: config, budgets, files });
    metrics.gauge(
      'imports_running',
      'Uploaded files that are being checked or imported.',
      () => this.#jobs.running,
    );
    metrics.gauge(
      'imports_waiting',
      'Uploaded files waiting for their first turn.',
      () => this.#jobs.waiting,
    );
  }

  /** The maximum size of a file in bytes. */
  get maximumBytes(): number {
    return this.#services.config.maxUploadBytes;
  }

  /** The maximum size of an unpacked file in bytes. */
  get maximumUnpackedBytes(): number {
    return MAX_UNPACKED_MULTIPLE * this.maximumBytes;
  }

  /** Removes old files, now and every hour. */
  async start(): Promise<void> {
    this.#sweeping = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
    await this.#sweep();
  }

  /** Stops all imports. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#jobs.close();
  }

  /**
   * Receives a file and starts its first step, like `takeUpload`.
   * @throws {UploadInProgress}, {FileTooLarge}, {BudgetExceeded}, and what `store` throws
   */
  async take(incoming: Incoming, store: StoreUpload): Promise<UploadKey | undefined> {
    const { database, now, config, metrics } = this.#services;
    const { maximumBytes } = this;
    const files = this.#files;
    const services = { database, files, now, receiving: this.#receiving, maximumBytes, ...config };
    const key = await takeUpload(services, incoming, store);
    if (key === undefined) return undefined;
    metrics.upload();
    this.#startStep(key, incoming.firstStep, incoming.name);
    return key;
  }

  /** Finds an upload; undefined for an unknown id and for another merchant's. */
  async find({ merchantId, id }: UploadKey): Promise<UploadRow | undefined> {
    if (!isUploadId(id)) return undefined;
    return await this.#services.database.first(findUpload, { merchantId, id });
  }

  /** Lists a merchant's uploads, newest first. */
  async list(merchantId: number, { offset, limit }: { offset: number; limit: number }): Promise<UploadRow[]> {
    return await this.#services.database.all(listUploads, { merchantId, offset, limit });
  }

  /** Returns the number of a merchant's uploads. */
  async count(merchantId: number): Promise<number> {
    return (await this.#services.database.first(countUploads, { merchantId }))?.total ?? 0;
  }

  /** Whether the file of an upload is on this machine. */
  async hasFile(key: UploadKey): Promise<boolean> {
    return await this.#files.exists(this.#files.pathOf(key));
  }

  /**
   * Imports a file that has been checked. Resolves to false if it is not ready.
   * @throws {UploadInProgress}, {BudgetExceeded}
   */
  async import(key: UploadKey, name: string, importer: Importer): Promise<boolean> {
    const isStarted = await startImport({ ...this.#services, ...this.#services.config }, key, importer);
    if (isStarted) this.#startStep(key, 'importing', name);
    return isStarted;
  }

  /**
   * Cancels an upload whose step is in progress, on any process, or that is ready. What has been imported remains, and
   * nothing is imported after the transaction. Changes nothing about an upload that has ended. Resolves to the upload.
   * Call `releaseFile` after the transaction.
   */
  async cancel(connection: Connection, { merchantId, id }: UploadKey): Promise<UploadRow | undefined> {
    await connection.run(lockMerchant, { merchantId });
    const now = this.#services.now();
    await connection.run(markCanceled, { merchantId, id, now, aliveAfter: now - REPORT_TIMEOUT_MS });
    return await connection.first(findUpload, { merchantId, id });
  }

  /** Removes the file of a canceled upload from this machine. A step that still reads it is not disturbed. */
  async releaseFile(key: UploadKey): Promise<void> {
    if ((await this.find(key))?.state === 'canceled') await this.#files.remove(key);
  }

  /** Deletes an upload. A step in progress notices this and stops. */
  async discard(key: UploadKey): Promise<void> {
    const { merchantId } = key;
    await this.#services.database.transaction((connection) => removeUpload(connection, key), { merchantId });
    await this.#files.remove(key);
  }

  /** Returns reasons for rejecting rows: those at the positions after `after`, which counts from 0, at most `limit`. */
  async rejections(
    { merchantId, id }: UploadKey,
    { after, limit }: { after: number; limit: number },
  ): Promise<StoredRejection[]> {
    const key = { merchantId, id };
    return await this.#services.database.all(listRejections, { ...key, after, upTo: after + limit });
  }

  /** Returns what the check of an upload has found to change, as JSON; null before its end. */
  async changes({ merchantId, id }: UploadKey): Promise<string | null> {
    return (await this.#services.database.first(findChanges, { merchantId, id }))?.changes ?? null;
  }

  /** Returns the number of stored reasons for rejecting rows. */
  async countRejections({ merchantId, id }: UploadKey): Promise<number> {
    return (await this.#services.database.first(countRejections, { merchantId, id }))?.total ?? 0;
  }

  #startStep(key: UploadKey, state: Step, name: string): void {
    const { config } = this.#services;
    this.#jobs.start({
      ...key,
      state,
      name,
      path: this.#files.pathOf(key),
      lowInventory: config.lowInventory,
      maxCategories: config.budgets.categories,
      maximumUnpackedBytes: this.maximumUnpackedBytes,
    });
  }

  async #sweep(): Promise<void> {
    const { database, now, logger } = this.#services;
    try {
      await sweepUploads({ database, files: this.#files }, now());
    } catch (error) {
      logger.warn({ err: error }, 'cannot remove old uploads');
    }
  }
}
