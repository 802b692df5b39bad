import { write, writeSync } from 'node:fs';

/** Lines that may wait are written when there are so many bytes, or so many milliseconds after. */
const TOGETHER_BYTES = 4096;
const LATEST_MS = 100;
/** Where whoever reads them has stopped, so many bytes wait; what comes then is lost, and counted. */
const MOST_BYTES = 1024 * 1024;
const RETRY_MS = 50;
const NEWLINE = 10;
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
  /** What is to be written before all that waits, in whole lines but for its beginning. */
  #underWay: Buffer | undefined;
  #isWriting = false;
  /** Whether the last that could be written was not the end of a line. */
  #isBroken = false;

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
    const bytes = this.#underWay ?? Buffer.alloc(0);
    this.#isWriting = true;
    write(this.#descriptor, bytes, (error, written) => {
      this.#isWriting = false;
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeOn(), RETRY_MS).unref();
        return;
      }
      if (error !== null) this.#lost += linesIn(bytes);
      else this.#isBroken = written < bytes.length && bytes[written - 1] !== NEWLINE;
      const rest = error === null ? bytes.subarray(written) : bytes.subarray(bytes.length);
      this.#underWay = rest.length === 0 ? undefined : rest;
      if (this.#underWay === undefined) this.#write();
      else this.#writeOn();
    });
  }

  #take(): Buffer {
    const lines = this.#waiting;
    if (this.#lost > 0) {
      lines.push(`${JSON.stringify({ level: 40, time: Date.now(), msg: `${this.#lost} log lines lost` })}\n`);
    }
    const beginning = this.#isBroken ? '\n' : '';
    [this.#waiting, this.#bytes, this.#lost, this.#isBroken] = [[], 0, 0, false];
    return Buffer.from(beginning + lines.join(''));
  }

  #writeRest(): void {
    // What is being written just now ends by itself.
    const begun = this.#isWriting ? undefined : this.#underWay;
    let rest = Buffer.concat([begun ?? Buffer.alloc(0), this.#take()]);
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries += 1) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
        tries = 0;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

function linesIn(bytes: Buffer): number {
  return bytes.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0);
}
