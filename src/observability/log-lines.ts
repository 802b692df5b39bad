import { write, writeSync } from 'node:fs';

/** Lines are written when there are this many bytes, or after this many milliseconds. */
const BATCH_BYTES = 4096;
const MAX_DELAY_MS = 100;
/** If the reader has stopped, this many bytes wait. Later lines are dropped and counted. */
const MAX_WAITING_BYTES = 1024 * 1024;
const RETRY_MS = 50;
const NEWLINE = 10;
const EXIT_RETRIES = 20;

/**
 * Writes lines to a file descriptor without blocking. If writing fails, as on a full disk or a pipe without a
 * reader, lines are lost and the program continues.
 */
export class LogLines {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #bytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Ends with a line, and may begin inside one. */
  #current: Buffer | undefined;
  #isWriting = false;
  #endsInsideLine = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    process.on('exit', () => this.#writeRest());
  }

  /** The line ends with a newline. It may wait for later ones. */
  add(line: string): void {
    if (this.#bytes > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (this.#bytes >= BATCH_BYTES) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), MAX_DELAY_MS).unref();
  }

  addNow(line: string): void {
    this.add(line);
    this.#write();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#current !== undefined || this.#waiting.length === 0) return;
    this.#current = this.#take();
    this.#writeCurrent();
  }

  #writeCurrent(): void {
    const bytes = this.#current ?? Buffer.alloc(0);
    this.#isWriting = true;
    write(this.#descriptor, bytes, (error, written) => {
      this.#isWriting = false;
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeCurrent(), RETRY_MS).unref();
        return;
      }
      if (error !== null) this.#dropped += countLines(bytes);
      else this.#endsInsideLine = written < bytes.length && bytes[written - 1] !== NEWLINE;
      const rest = error === null ? bytes.subarray(written) : bytes.subarray(bytes.length);
      this.#current = rest.length === 0 ? undefined : rest;
      if (this.#current === undefined) this.#write();
      else this.#writeCurrent();
    });
  }

  #take(): Buffer {
    const lines = this.#waiting;
    if (this.#dropped > 0) {
      lines.push(
        `${JSON.stringify({ level: 40, time: Date.now(), msg: `${this.#dropped} log lines lost` })}\n`,
      );
    }
    const start = this.#endsInsideLine ? '\n' : '';
    [this.#waiting, this.#bytes, this.#dropped, this.#endsInsideLine] = [[], 0, 0, false];
    return Buffer.from(start + lines.join(''));
  }

  #writeRest(): void {
    // A write in progress completes by itself.
    const begun = this.#isWriting ? undefined : this.#current;
    let rest = Buffer.concat([begun ?? Buffer.alloc(0), this.#take()]);
    for (let retries = 0; rest.length > 0 && retries < EXIT_RETRIES; retries += 1) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
        retries = 0;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

function countLines(bytes: Buffer): number {
  return bytes.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0);
}
