import type { FastifyBaseLogger } from 'fastify';
import { SERVICE } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseSettings } from '../database/open-database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import type { ImportSummary } from '../files/run-import.ts';
import type { Metrics } from '../observability/metrics.ts';
import { addCpuSeconds } from './cpu-budget.ts';
import { ImportChild } from './import-child.ts';
import type { ImportFiles } from './import-files.ts';
import type { Report } from './import-process.ts';
import { interruption } from './import-state.ts';
import { failImport, findImport, keepAlive } from './queries.ts';
import { recordImportEnd } from './record-import-end.ts';
import type { Job } from './run-job.ts';

const ALIVE_MS = 5_000;
/** Another job often follows, and starting the process is slow. */
const IDLE_MS = 10_000;
/** Without a report for this much CPU time, the process is stuck. Normally it reports every second. */
const STUCK_MS = 60_000;
const STUCK =
  'Reading the file was stopped: one row took more than a minute of CPU time. Upload the file without that row.';

interface Dependencies {
  database: Database;
  settings: DatabaseSettings;
  budgets: Budgets;
  files: ImportFiles;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** The CPU time without a report after which the process is killed. Default: a minute. */
  stuckAfterMs?: number;
}

interface Entry {
  job: Job;
  hasStarted: boolean;
}

/**
 * Runs the steps of imports in a child process, where they take turns (see `JobSlot`). If that process
 * dies, the step whose turn it was fails, and so do imports that had started. Other steps start again.
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
    return [...this.#entries.values()].filter(({ hasStarted }) => hasStarted).length;
  }

  /** Its progress is in the database. */
  start(job: Job): void {
    this.#entries.set(job.id, { job, hasStarted: false });
    clearTimeout(this.#idle);
    this.#alive ??= setInterval(() => void this.#check(), ALIVE_MS).unref();
    this.#send(job);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#idle);
    clearInterval(this.#alive);
    await this.#child?.kill();
    for (const { job } of this.#entries.values()) this.#end(job);
    await Promise.all(this.#settling);
  }

  #send(job: Job): void {
    const { settings, budgets } = this.#dependencies;
    this.#child ??= new ImportChild(settings, {
      onReport: (report) => this.#receive(report),
      onExit: (child) => this.#restart(child),
    });
    this.#child.start(job, budgets);
  }

  #receive(report: Report): void {
    if (report.kind === 'alive' || report.kind === 'streamed') return;
    const entry = this.#entries.get(report.id);
    // The end of a check may be reported after its import was requested.
    if (entry?.job.state !== report.state) return;
    if (report.kind === 'turn') {
      entry.hasStarted = true;
      return;
    }
    const { metrics, logger } = this.#dependencies;
    if (report.exceeded !== undefined) metrics.budgetExceeded(report.exceeded);
    if (report.error !== undefined) logger.warn({ err: report.error }, 'import step failed');
    this.#end(entry.job);
  }

  #restart({ turn, wasStuck }: ImportChild): void {
    this.#child = undefined;
    if (this.#closing) return;
    const entries = [...this.#entries.values()];
    for (const { job, hasStarted } of entries) {
      // Without a turn, the process failed to start, and another one would too.
      const isCause = turn === undefined || job.id === turn;
      if (isCause && wasStuck) this.#recordStuck(job);
      if (isCause || (hasStarted && job.state === 'importing'))
        this.#end(job, isCause && wasStuck ? STUCK : undefined);
      else this.start(job);
    }
  }

  /**
   * Removes a step. Marks it as failed with this message if it recorded no result; by default, that it was
   * interrupted.
   */
  #end(job: Job, failure?: string): void {
    this.#entries.delete(job.id);
    const settled = this.#settle(job, failure)
      .catch((error) =>
        this.#dependencies.logger.warn({ err: error }, 'cannot record the result of an import'),
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

  async #settle({ merchantId, id, state }: Job, failure: string | undefined): Promise<void> {
    const { database, files, metrics } = this.#dependencies;
    const caller = { merchantId, who: SERVICE };
    await runVerb(this.#dependencies, caller, failStep, { id, state, failure });
    const row = await database.first(findImport, { merchantId, id });
    if (row?.state === 'done' && state === 'importing' && row.summary !== null)
      metrics.importRows(JSON.parse(row.summary) as ImportSummary);
    // While the next step is being started, the file is still needed.
    const isNeeded = row !== undefined && ['checking', 'checked', 'importing'].includes(row.state);
    if (!isNeeded) await files.remove({ merchantId, id });
  }

  #recordStuck({ merchantId }: Job): void {
    const { logger, stuckAfterMs = STUCK_MS } = this.#dependencies;
    const caller = { merchantId, who: SERVICE };
    runVerb(this.#dependencies, caller, addCpuSeconds, stuckAfterMs / 1000).catch((error) =>
      logger.warn({ err: error }, 'cannot record the CPU time of an import'),
    );
  }

  async #check(): Promise<void> {
    const { database, now, logger, stuckAfterMs = STUCK_MS } = this.#dependencies;
    this.#child?.killIfStuckFor(stuckAfterMs);
    for (const { job } of [...this.#entries.values()]) {
      const { merchantId, id } = job;
      const row = { merchantId, id, now: now() };
      try {
        await database.transaction((connection) => connection.run(keepAlive, row), { merchantId });
      } catch (error) {
        logger.warn({ err: error }, 'cannot record that imports are in progress');
      }
    }
  }
}

/** Marks a step that recorded no result as failed. */
async function failStep(
  context: WriteContext,
  { id, state, failure }: Pick<Job, 'id' | 'state'> & { failure: string | undefined },
): Promise<void> {
  const { connection, merchantId, now } = context;
  const row = await connection.first(findImport, { merchantId, id });
  if (row === undefined) return;
  const ended = { merchantId, id, state, failure: failure ?? interruption(state, row), now };
  const failed = await connection.run(failImport, ended);
  if (failed > 0 && state === 'importing') await recordImportEnd(context, id);
}
