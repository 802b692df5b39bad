import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import type { ImportSummary } from '../../imports/run-import.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { interrupted } from './describe-upload.ts';
import type { Order } from './import-process.ts';
import { failUpload, findUpload, keepAlive } from './queries.ts';
import type { Job } from './run-job.ts';
import type { UploadFiles } from './upload-files.ts';

const PROGRAM = join(import.meta.dirname, 'import-process.ts');
const ALIVE_MS = 5_000;

interface Dependencies {
  database: Database;
  settings: DatabaseSettings;
  files: UploadFiles;
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
}

/** The steps of uploads that this process has done by another, one after the other. */
export class ImportJobs {
  readonly #dependencies: Dependencies;
  readonly #waiting: Job[] = [];
  #running: { job: Job; child: ChildProcess } | undefined;
  #working: Promise<void> | undefined;
  #closing = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Has a step done when its turn comes. How far it is stands in the database. */
  start(job: Job): void {
    this.#waiting.push(job);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Ends what is under way and what waits. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#running?.child.kill('SIGKILL');
    await this.#working;
  }

  async #work(): Promise<void> {
    const timer = setInterval(() => void this.#keepAlive(), ALIVE_MS).unref();
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      if (!this.#closing) await this.#run(job);
      await this.#settle(job).catch((error) =>
        this.#dependencies.logger.warn({ err: error }, 'end of an upload not written'),
      );
    }
    clearInterval(timer);
  }

  async #run(job: Job): Promise<void> {
    const { dataDirectory, postgres, databaseWaitMs } = this.#dependencies.settings;
    const order: Order = { settings: { dataDirectory, postgres, databaseWaitMs }, job };
    const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' });
    this.#running = { job, child };
    // That there is no such process tells `exit` or this; what it was sent when it had gone, nobody needs.
    const ended = Promise.race([once(child, 'exit'), new Promise((resolve) => child.once('error', resolve))]);
    child.send(order, () => {});
    await ended;
    this.#running = undefined;
  }

  /** Fails what its process left under way, and removes what nobody needs any more. */
  async #settle({ merchantId, id, state }: Job): Promise<void> {
    const { database, files, metrics } = this.#dependencies;
    await database.transaction((connection) =>
      connection.run(failUpload, [interrupted[state], merchantId, id, state]),
    );
    const row = await database.first(findUpload, [merchantId, id]);
    if (row?.state === 'done' && state === 'importing' && row.summary !== null)
      metrics.importRows(JSON.parse(row.summary) as ImportSummary);
    if (row === undefined) await files.remove({ merchantId, id });
    else if (row.state === 'failed' || row.state === 'done')
      await files.remove({ merchantId, id }, { rejects: false });
  }

  async #keepAlive(): Promise<void> {
    const { database, now, logger } = this.#dependencies;
    const jobs = [...(this.#running === undefined ? [] : [this.#running.job]), ...this.#waiting];
    const rows = jobs.map(({ merchantId, id }) => [now(), merchantId, id]);
    try {
      await database.transaction((connection) => connection.runEach(keepAlive, rows));
    } catch (error) {
      logger.warn({ err: error }, 'uploads under way not noted');
    }
  }
}
