import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Budgets } from '../../budgets/budgets.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import type { Order, Report } from './import-process.ts';
import type { Job } from './run-job.ts';

const PROGRAM = join(import.meta.dirname, 'import-process.ts');
/** A file that would need more ends the process instead of exhausting the machine. */
const MAX_HEAP_MB = 768;
const SILENCE_FACTOR = 10;
/** Of /proc/PID/stat, after the name (proc_pid_stat(5)). */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const TICK_MS = 10;

/** The process that does the steps of uploads. */
export class ImportChild {
  readonly #process: ChildProcess;
  /** Undefined until the process has begun. */
  #heardAt: number | undefined;
  #lastLook = { heardAt: Number.NaN, cpuMs: 0 };
  #turn: string | undefined;
  #wasStuck = false;
  #isDismissed = false;

  /** `onExit` is called when the process ends without having been dismissed or killed by `kill`. */
  constructor(
    { dataDirectory, postgres, databaseWaitMs }: DatabaseSettings,
    budgets: Budgets,
    { onReport, onExit }: { onReport: (report: Report) => void; onExit: (child: ImportChild) => void },
  ) {
    this.#process = fork(PROGRAM, {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
    });
    this.#process.on('message', (report: Report) => {
      this.#heardAt = performance.now();
      if (report.kind === 'turn') this.#turn = report.id;
      onReport(report);
    });
    const onGone = (): void => {
      if (!this.#isDismissed) onExit(this);
    };
    // What it reported last may come after `exit`, and before `disconnect`.
    this.#process.once('exit', () => {
      if (this.#process.connected) this.#process.once('disconnect', onGone);
      else onGone();
    });
    // This comes alone if the process could not be started.
    this.#process.once('error', () => {
      if (this.#process.pid === undefined) onGone();
    });
    this.#send({ kind: 'begin', settings: { dataDirectory, postgres, databaseWaitMs }, budgets });
  }

  /** The upload whose turn was the last to begin. */
  get turn(): string | undefined {
    return this.#turn;
  }

  /** Whether it was killed for its silence. */
  get wasStuck(): boolean {
    return this.#wasStuck;
  }

  give(job: Job): void {
    this.#send({ kind: 'job', job });
  }

  /**
   * Kills the process if it has used this much CPU time without a report; to be called every few seconds. If it gets
   * no CPU time, or its use is unknown, it has ten times as long.
   */
  killIfStuckFor(milliseconds: number): void {
    if (this.#heardAt === undefined) return;
    const cpuMs = this.#cpuMs();
    if (this.#lastLook.heardAt !== this.#heardAt) this.#lastLook = { heardAt: this.#heardAt, cpuMs };
    const silentFor = performance.now() - this.#heardAt;
    if (cpuMs - this.#lastLook.cpuMs < milliseconds && silentFor < SILENCE_FACTOR * milliseconds) return;
    this.#wasStuck = true;
    this.#process.kill('SIGKILL');
  }

  /** The CPU time that the process has used so far, on Linux; else 0. */
  #cpuMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
      // The name of the program comes first and may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
    } catch {
      return 0;
    }
  }

  /** Lets it end; it must have nothing to do. */
  dismiss(): void {
    this.#isDismissed = true;
    if (this.#process.connected) this.#process.disconnect();
  }

  /** Resolves when it has ended. */
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

  #send(order: Order): void {
    // If the process is gone, its `exit` says so.
    if (this.#process.connected) this.#process.send(order, () => {});
  }
}
