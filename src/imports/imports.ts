import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Actor } from '../database/actor.ts';
import type { Database } from '../database/database.ts';
import { runVerb } from '../database/write-context.ts';
import type { Metrics } from '../observability/metrics.ts';
import { checkAgain } from './check-again.ts';
import { ImportFiles, type ImportKey, isImportId } from './import-files.ts';
import { ImportJobs } from './import-jobs.ts';
import type { ImportReading } from './import-reading.ts';
import type { Step } from './import-state.ts';
import {
  countImports,
  countRejections,
  findChanges,
  findImport,
  type ImportRow,
  listImports,
  listRejectingImports,
  listRejections,
  type StoredRejection,
} from './queries.ts';
import type { Job } from './run-job.ts';
import { type Importer, startImport } from './start-import.ts';
import { storeImport } from './store-import.ts';
import { removeImport, sweepImports } from './sweep-imports.ts';
import { type Incoming, type Received, type StoreImport, takeFile } from './take-file.ts';

const SWEEP_MS = 60 * 60 * 1000;
/** Of the unpacked size, relative to the maximum upload size. Catalogs compress to about a tenth. */
const MAX_UNPACKED_MULTIPLE = 10;

interface ImportServices {
  database: Database;
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
}

/**
 * The product files that merchants upload, and their import. A file is on the machine that received it, which
 * also imports it. Everything else is in the database: every process can show and cancel an import.
 */
export class Imports {
  readonly #services: ImportServices;
  readonly #files: ImportFiles;
  readonly #jobs: ImportJobs;
  readonly #receiving = new Set<number>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(services: ImportServices) {
    const { config, metrics } = services;
    const { budgets } = config;
    const files = new ImportFiles(config);
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

  /** In bytes. */
  get maximumBytes(): number {
    return this.#services.config.maxUploadBytes;
  }

  /** In bytes. */
  get maximumUnpackedBytes(): number {
    return MAX_UNPACKED_MULTIPLE * this.maximumBytes;
  }

  async start(): Promise<void> {
    this.#sweeping = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
    await this.#sweep();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#jobs.close();
  }

  /**
   * Receives a file and starts its first step, like `takeFile`. `store` stores the import, after other work.
   * @throws as `takeFile`
   */
  async take(
    incoming: Incoming,
    store: StoreImport = (received) => this.store(received),
  ): Promise<ImportKey | undefined> {
    const { database, now, config, metrics } = this.#services;
    const { maximumBytes } = this;
    const files = this.#files;
    const services = { database, files, now, receiving: this.#receiving, maximumBytes, ...config };
    const taken = await takeFile(services, incoming, store);
    if (taken === undefined) return undefined;
    metrics.import();
    this.#startStep(taken, taken.firstStep, { name: taken.name, who: incoming.createdBy });
    return taken;
  }

  /** Stores the import of a file that was received. @throws as `storeImport` */
  async store({ newImport }: Received): Promise<true> {
    const { merchantId, createdBy: who } = newImport;
    await runVerb(this.#services, { merchantId, who }, storeImport, newImport);
    return true;
  }

  /** Returns undefined for an unknown id and for another merchant's. */
  async find({ merchantId, id }: ImportKey): Promise<ImportRow | undefined> {
    if (!isImportId(id)) return undefined;
    return await this.#services.database.first(findImport, { merchantId, id });
  }

  /** Newest first. */
  async list(merchantId: number, { offset, limit }: { offset: number; limit: number }): Promise<ImportRow[]> {
    return await this.#services.database.all(listImports, { merchantId, offset, limit });
  }

  /** The ones that are done and have rejected rows, newest first. */
  async listRejecting(merchantId: number, limit: number): Promise<ImportRow[]> {
    return await this.#services.database.all(listRejectingImports, { merchantId, limit });
  }

  async count(merchantId: number): Promise<number> {
    return (await this.#services.database.first(countImports, { merchantId }))?.total ?? 0;
  }

  async hasFile(key: ImportKey): Promise<boolean> {
    return await this.#files.exists(this.#files.pathOf(key));
  }

  /**
   * Imports a file that has been checked. Resolves to false if it is not checked.
   * @throws {DomainError} `import_in_progress`, `budget_exceeded`
   */
  async import(key: ImportKey, name: string, importer: Importer): Promise<boolean> {
    const { merchantId, id } = key;
    const { budgets } = this.#services.config;
    const caller = { merchantId, who: importer.who, budgets };
    const start = { id, notifiedUser: importer.notifiedUser };
    const isStarted = await runVerb(this.#services, caller, startImport, start);
    if (isStarted) this.#startStep(key, 'importing', { name, who: importer.who });
    return isStarted;
  }

  /**
   * Checks a checked file again, read in another way. Resolves to false if it is not checked.
   * @throws {DomainError} `import_in_progress`, `budget_exceeded`
   */
  async checkAgain(
    key: ImportKey,
    reading: ImportReading,
    from: Pick<Job, 'name' | 'who'>,
  ): Promise<boolean> {
    const { merchantId, id } = key;
    const { budgets } = this.#services.config;
    const caller = { merchantId, who: from.who, budgets };
    const isStarted = await runVerb(this.#services, caller, checkAgain, { id, reading });
    if (isStarted) this.#startStep(key, 'checking', from);
    return isStarted;
  }

  /** Removes the file of a canceled import from this machine. A step that still reads it is not disturbed. */
  async releaseFile(key: ImportKey): Promise<void> {
    if ((await this.find(key))?.state === 'canceled') await this.#files.remove(key);
  }

  /** A step in progress notices the deletion and stops. */
  async discard({ merchantId, id }: ImportKey, who: Actor): Promise<void> {
    await runVerb(this.#services, { merchantId, who }, removeImport, { id });
    await this.#files.remove({ merchantId, id });
  }

  /** Returns the reasons at the positions after `after`, which counts from 0, at most `limit`. */
  async rejections(
    { merchantId, id }: ImportKey,
    { after, limit }: { after: number; limit: number },
  ): Promise<StoredRejection[]> {
    const key = { merchantId, id };
    return await this.#services.database.all(listRejections, { ...key, after, upTo: after + limit });
  }

  /** Returns what the check of an import has found to change, as JSON; null before its end. */
  async changes({ merchantId, id }: ImportKey): Promise<string | null> {
    return (await this.#services.database.first(findChanges, { merchantId, id }))?.changes ?? null;
  }

  async countRejections({ merchantId, id }: ImportKey): Promise<number> {
    return (await this.#services.database.first(countRejections, { merchantId, id }))?.total ?? 0;
  }

  #startStep(key: ImportKey, state: Step, from: Pick<Job, 'name' | 'who'>): void {
    const { config } = this.#services;
    this.#jobs.start({
      ...key,
      state,
      ...from,
      path: this.#files.pathOf(key),
      lowInventory: config.lowInventory,
      maxCategories: config.budgets.categories,
      onlyListedCategories: config.onlyListedCategories,
      moderationQueue: config.moderationQueue,
      maximumUnpackedBytes: this.maximumUnpackedBytes,
    });
  }

  async #sweep(): Promise<void> {
    const { database, now, logger } = this.#services;
    try {
      await sweepImports({ database, now, files: this.#files });
    } catch (error) {
      logger.warn({ err: error }, 'cannot remove old imports');
    }
  }
}
