import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Budgets } from '../budgets/budgets.ts';
import type { DatabaseSettings } from '../database/open-database.ts';
import { IMPORT_PROCESS, startProcess } from '../shared/start-module.ts';
import type { ImportCommand, Report } from './import-process.ts';
import type { LineStream } from './import-stream.ts';
import type { Job } from './run-job.ts';

/** If an import needs more memory, the process ends instead of exhausting the machine's. */
const MAX_HEAP_MB = 768;
const SILENCE_FACTOR = 10;
/** Fields of /proc/PID/stat after the program's name (proc_pid_stat(5)). */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const TICK_MS = 10;

/** A process that imports files, or one stream, so that imports do not block the server's event loop. */
export class ImportChild {
  readonly #process: ChildProcess;
  readonly #settings: DatabaseSettings;
  /** When the last report arrived; undefined until the process has started. */
  #reportedAt: number | undefined;
  #lastCheck = { reportedAt: Number.NaN, cpuMs: 0 };
  #turn: string | undefined;
  #wasStuck = false;
  #isDismissed = false;

  /** `onExit` is called when the process ends without `dismiss` or `kill`. */
  constructor(
    { dataDirectory, postgres, databaseWaitMs }: DatabaseSettings,
    { onReport, onExit }: { onReport: (report: Report) => void; onExit: (child: ImportChild) => void },
  ) {
    this.#process = startProcess(IMPORT_PROCESS, import.meta.url, {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    });
    this.#settings = { dataDirectory, postgres, databaseWaitMs };
    this.#process.on('message', (report: Report) => {
      this.#reportedAt = performance.now();
      if (report.kind === 'turn') this.#turn = report.id;
      onReport(report);
    });
    const onGone = (): void => {
      if (!this.#isDismissed) onExit(this);
    };
    // The last reports may arrive after `exit`, but before `disconnect`.
    this.#process.once('exit', () => {
      if (this.#process.connected) this.#process.once('disconnect', onGone);
      else onGone();
    });
    // If the process could not be started, there is no `exit`.
    this.#process.once('error', () => {
      if (this.#process.pid === undefined) onGone();
    });
  }

  get turn(): string | undefined {
    return this.#turn;
  }

  get wasStuck(): boolean {
    return this.#wasStuck;
  }

  start(job: Job, budgets: Budgets): void {
    this.#send({ settings: this.#settings, kind: 'file', job, budgets });
  }

  /** Returns the stream that the lines must be written to. */
  startStream(stream: LineStream): Writable {
    this.#send({ settings: this.#settings, kind: 'stream', stream });
    return this.#process.stdin as Writable;
  }

  /**
   * Kills the process if it has used this much CPU time since its last report, or if ten times as long has
   * passed: it may get no CPU time, or the time is unknown. Call it every few seconds.
   */
  killIfStuckFor(milliseconds: number): void {
    if (this.#reportedAt === undefined) return;
    const cpuMs = this.#cpuMs();
    if (this.#lastCheck.reportedAt !== this.#reportedAt)
      this.#lastCheck = { reportedAt: this.#reportedAt, cpuMs };
    const silentFor = performance.now() - this.#reportedAt;
    if (cpuMs - this.#lastCheck.cpuMs < milliseconds && silentFor < SILENCE_FACTOR * milliseconds) return;
    this.#wasStuck = true;
    this.#process.kill('SIGKILL');
  }

  /** Returns the CPU time of the process so far on Linux, otherwise 0. */
  #cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
      // The program's name precedes the fields and may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
    } catch {
      return 0;
    }
  }

  /** Lets the process exit; it must be idle. */
  dismiss(): void {
    this.#isDismissed = true;
    if (this.#process.connected) this.#process.disconnect();
  }

  async kill(): Promise<void> {
    this.#isDismissed = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = Promise.race([
      once(this.#process, 'exit'),
      new Promise((resolve) => this.#process.once('error', resolve)),
    ]);
    this.#process.kill('SIGKILL');
    await ended;
  }

  #send(command: ImportCommand): void {
    // If the process is gone, `exit` reports it.
    if (this.#process.connected) this.#process.send(command, () => {});
  }
}
