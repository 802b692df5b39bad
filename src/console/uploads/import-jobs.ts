import type { FastifyBaseLogger } from 'fastify';
import type { Budgets } from '../../budgets/budgets.ts';
import { recordBudgetUse } from '../../budgets/daily-budget.ts';
import type { Database } from '../../database/database.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import type { ImportSummary } from '../../imports/run-import.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { interrupted } from './describe-upload.ts';
import { ImportChild } from './import-child.ts';
import type { Report } from './import-process.ts';
import { failUpload, findUpload, keepAlive } from './queries.ts';
import type { Job } from './run-job.ts';
import type { UploadFiles } from './upload-files.ts';

const ALIVE_MS = 5_000;
/** How long the process stays after its last job: the next one often comes soon, and starting it takes a while. */
const IDLE_MS = 10_000;
/** CPU time; no step of a job takes nearly as long. */
const STUCK_MS = 60_000;
const STUCK =
  'Reading the file was stopped: one row took more than a minute of CPU time. Send the file without that row.';

interface Dependencies {
  database: Database;
  settings: DatabaseSettings;
  budgets: Budgets;
  files: UploadFiles;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** After how much CPU time without a report the process is ended. Default: a minute. */
  stuckAfterMs?: number;
}

/** A step of an upload, and whether it has had a turn. */
interface Entry {
  job: Job;
  hasBegun: boolean;
}

/**
 * Has the steps of uploads done by another process, which they share in turns (see `Turns`). If that process
 * ends, the step whose turn it was fails, as does an import that had begun; all others start again.
 */
export class ImportJobs {
  readonly #dependencies: Dependencies;
  readonly #entries = new Map<string, Entry>();
  readonly #settling = new Set<Promise<void>>();
  #child: ImportChild | undefined;
  #idle: NodeJS.Timeout | undefined;
  #alive: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  get waiting(): number {
    return this.#entries.size - this.running;
  }

  get running(): number {
    return [...this.#entries.values()].filter(({ hasBegun }) => hasBegun).length;
  }

  /** Has a step done. The database tells how far it is. */
  start(job: Job): void {
    this.#entries.set(job.id, { job, hasBegun: false });
    clearTimeout(this.#idle);
    this.#alive ??= setInterval(() => void this.#look(), ALIVE_MS).unref();
    this.#give(job);
  }

  /** Ends every step. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#idle);
    clearInterval(this.#alive);
    await this.#child?.kill();
    for (const { job } of this.#entries.values()) this.#end(job, interrupted[job.state]);
    await Promise.all(this.#settling);
  }

  #give(job: Job): void {
    const { settings, budgets } = this.#dependencies;
    this.#child ??= new ImportChild(settings, budgets, {
      onReport: (report) => this.#take(report),
      onExit: (child) => this.#restart(child),
    });
    this.#child.give(job);
  }

  #take(report: Report): void {
    if (report.kind === 'alive') return;
    const entry = this.#entries.get(report.id);
    // The end of a check may be told after its import was asked for.
    if (entry?.job.state !== report.state) return;
    if (report.kind === 'turn') {
      entry.hasBegun = true;
      return;
    }
    const { metrics, logger } = this.#dependencies;
    if (report.exceeded !== undefined) metrics.budgetExceeded(report.exceeded);
    if (report.error !== undefined) logger.warn({ err: report.error }, 'step of an upload failed');
    this.#end(entry.job, interrupted[entry.job.state]);
  }

  /** After the process ended by itself. */
  #restart({ turn, wasStuck }: ImportChild): void {
    this.#child = undefined;
    if (this.#closing) return;
    const entries = [...this.#entries.values()];
    for (const { job, hasBegun } of entries) {
      // Without a turn, the process could not even begin: another would not either.
      const isCause = turn === undefined || job.id === turn;
      if (isCause && wasStuck) this.#noteStuck(job);
      if (isCause || (hasBegun && job.state === 'importing'))
        this.#end(job, isCause && wasStuck ? STUCK : interrupted[job.state]);
      else this.start(job);
    }
  }

  /** Fails what is still under way of a step, and forgets it. */
  #end(job: Job, failure: string): void {
    this.#entries.delete(job.id);
    const settled = this.#settle(job, failure)
      .catch((error) =>
        this.#dependencies.logger.warn({ err: error }, 'could not record the result of an upload'),
      )
      .finally(() => this.#settling.delete(settled));
    this.#settling.add(settled);
    if (this.#entries.size > 0 || this.#closing) return;
    clearInterval(this.#alive);
    this.#alive = undefined;
    this.#idle = setTimeout(() => this.#dismiss(), IDLE_MS).unref();
  }

  #dismiss(): void {
    this.#child?.dismiss();
    this.#child = undefined;
  }

  /** Records how a step ended, and removes the files that are not needed any more. */
  async #settle({ merchantId, id, state }: Job, failure: string): Promise<void> {
    const { database, files, metrics } = this.#dependencies;
    await database.transaction((connection) =>
      connection.run(failUpload, { merchantId, id, state, failure }),
    );
    const row = await database.first(findUpload, { merchantId, id });
    if (row?.state === 'done' && state === 'importing' && row.summary !== null)
      metrics.importRows(JSON.parse(row.summary) as ImportSummary);
    if (row === undefined) await files.remove({ merchantId, id });
    else if (row.state === 'failed' || row.state === 'done')
      await files.remove({ merchantId, id }, { rejects: false });
  }

  #noteStuck({ merchantId }: Job): void {
    const { database, now, logger, stuckAfterMs = STUCK_MS } = this.#dependencies;
    const use = { merchantId, budget: 'import_cpu_seconds_per_day', amount: stuckAfterMs / 1000 } as const;
    database
      .transaction((connection) => recordBudgetUse(connection, use, now()))
      .catch((error) => logger.warn({ err: error }, 'CPU time of an upload not noted'));
  }

  /** Notes which uploads are under way, and ends a process that is stuck. */
  async #look(): Promise<void> {
    const { database, now, logger, stuckAfterMs = STUCK_MS } = this.#dependencies;
    this.#child?.killIfStuckFor(stuckAfterMs);
    const rows = [...this.#entries.values()].map(({ job: { merchantId, id } }) => ({
      merchantId,
      id,
      now: now(),
    }));
    try {
      await database.transaction((connection) => connection.runEach(keepAlive, rows));
    } catch (error) {
      logger.warn({ err: error }, 'could not record that uploads are under way');
    }
  }
}
