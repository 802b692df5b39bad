import type { FastifyBaseLogger } from 'fastify';
import { backUpInThread } from './backup-thread.ts';
import type { BackupLog } from './backups/backup-log.ts';
import { BackupRunner } from './backups/backup-runner.ts';
import type { Config } from './config.ts';
import type { Metrics } from './observability/metrics.ts';
import { PollingLoop } from './shared/polling-loop.ts';

const POLL_MS = 10_000;

interface Parts {
  config: Config;
  /** Milliseconds since 1970. */
  now: () => number;
  logger: FastifyBaseLogger;
  metrics: Metrics;
}

/** Makes a backup whenever BACKUP_EVERY has passed. One process of all that share the database makes it. */
export class ScheduledBackups {
  readonly #runner: BackupRunner;
  readonly #loop: PollingLoop;
  readonly #stopping = new AbortController();
  #log: BackupLog = { completed: null, failed: null };

  private constructor(runner: BackupRunner, { now, logger, metrics }: Parts) {
    this.#runner = runner;
    this.#loop = new PollingLoop({
      step: async () => {
        await this.#step(logger);
        return false;
      },
      pollMs: POLL_MS,
      minPauseMs: () => 0,
      onError: (error) => {
        if (!this.#stopping.signal.aborted) logger.warn({ err: error }, 'no new backup; trying again');
      },
    });
    const startedAt = now();
    metrics.gauge(
      'backup_age_seconds',
      'Age of the newest complete backup; before the first one, time since the start.',
      () => Math.max(0, Math.floor((now() - (this.#log.completed?.at ?? startedAt)) / 1000)),
      { aggregator: 'max' },
    );
    metrics.gauge(
      'backup_bytes',
      'Size of the newest complete backup.',
      () => this.#log.completed?.bytes ?? 0,
      {
        aggregator: 'max',
      },
    );
    metrics.gauge('backup_failed', '1 if the last backup failed.', () => Number(this.#log.failed !== null), {
      aggregator: 'max',
    });
  }

  /** Returns null if BACKUP_TO is not set. */
  static of(parts: Parts): ScheduledBackups | null {
    const { backups: settings, dataDirectory } = parts.config;
    if (settings === null) return null;
    const runner = new BackupRunner({ dataDirectory, settings, now: parts.now, backUp: backUpInThread });
    return new ScheduledBackups(runner, parts);
  }

  start(): void {
    this.#loop.start();
  }

  /** Stops a backup in progress. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.close();
  }

  async #step(logger: FastifyBaseLogger): Promise<void> {
    try {
      const backup = await this.#runner.runIfDue(this.#stopping.signal);
      if (backup === null) return;
      const { file, bytes, removed, notRemoved } = backup;
      logger.info({ file, bytes, removed: removed.length }, 'backup complete');
      if (notRemoved !== null) logger.warn({ reason: notRemoved }, 'old backups not deleted; trying again');
    } finally {
      this.#log = await this.#runner.readLog();
    }
  }
}
