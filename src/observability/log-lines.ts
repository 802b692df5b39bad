import { write, writeSync } from 'node:fs';

/** Lines that may wait are written when there are so many bytes, or so many milliseconds after. */
const TOGETHER_BYTES = 4096;
const LATEST_MS = 100;
/** Where whoever reads them has stopped, so many bytes wait; what comes then is lost, and counted. */
const MOST_BYTES = 1024 * 1024;
const RETRY_MS = 50;
/** At the end, a reader that is behind gets so many more chances. */
const LAST_TRIES = 20;

/**
 * Writes lines to a file descriptor beside the work. One that cannot be written to, as a file on a full disk
 * or a pipe that nobody reads, costs lines, and never the program.
 */
export class LogLines {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #bytes = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What is being written, in whole lines but for its beginning. */
  #underWay: Buffer | undefined;

  /** Whatever is left is written when the process exits. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    process.on('exit', () => this.#writeRest());
  }

  /** Takes a line, its end included, that may wait for others. */
  add(line: string): void {
    if (this.#bytes > MOST_BYTES) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (this.#bytes >= TOGETHER_BYTES) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), LATEST_MS).unref();
  }

  /** Takes a line that is written without delay, behind those before it. */
  addNow(line: string): void {
    this.add(line);
    this.#write();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#underWay !== undefined || this.#waiting.length === 0) return;
    this.#underWay = this.#take();
    this.#writeOn();
  }

  #writeOn(): void {
    write(this.#descriptor, this.#underWay ?? Buffer.alloc(0), (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeOn(), RETRY_MS).unref();
        return;
      }
      const rest = error === null ? this.#underWay?.subarray(written) : undefined;
      this.#underWay = rest?.length === 0 ? undefined : rest;
      if (this.#underWay === undefined) this.#write();
      else this.#writeOn();
    });
  }

  #take(): Buffer {
    const lines = this.#waiting;
    if (this.#lost > 0) {
      lines.push(`${JSON.stringify({ level: 40, time: Date.now(), msg: `${this.#lost} log lines lost` })}\n`);
    }
    [this.#waiting, this.#bytes, this.#lost] = [[], 0, 0];
    return Buffer.from(lines.join(''));
  }

  #writeRest(): void {
    let rest = this.#take();
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries += 1) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}
