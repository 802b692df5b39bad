/** How an answer begins, and where it ended. */
export interface ReadAnswer {
  status: number;
  /** Status line and headers, as they came. */
  head: string;
  /** The first bytes of its body. */
  beginning: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const BEGINNING = 300;

/** Reads one answer after the other off a kept connection, and keeps none of their bodies. */
export class AnswerReader {
  readonly #isHead: () => boolean;
  readonly #onAnswer: (answer: ReadAnswer) => void;
  /** What came of the head so far. */
  #rest: Buffer = Buffer.alloc(0);
  #answer: ReadAnswer | undefined;
  /** Bytes of the body that are still to come; undefined where it is chunked. */
  #left: number | undefined;
  #tail: Buffer = Buffer.alloc(0);

  /** `isHead` tells whether the answer that comes next is to a HEAD request, and so has no body. */
  constructor(isHead: () => boolean, onAnswer: (answer: ReadAnswer) => void) {
    this.#isHead = isHead;
    this.#onAnswer = onAnswer;
  }

  push(chunk: Buffer): void {
    let bytes = chunk;
    while (bytes.length > 0) {
      if (this.#answer === undefined) bytes = this.#readHead(bytes);
      else if (this.#left === undefined) bytes = this.#readChunked(this.#answer, bytes);
      else bytes = this.#readBody(this.#answer, this.#left, bytes);
    }
  }

  #readHead(bytes: Buffer): Buffer {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      this.#rest = all;
      return Buffer.alloc(0);
    }
    this.#rest = Buffer.alloc(0);
    const head = all.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const rest = all.subarray(end + HEAD_END.length);
    if (status < 200) return rest;
    this.#answer = { status, head, beginning: '' };
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
    const bodiless = status === 204 || status === 304 || this.#isHead();
    this.#left = bodiless ? 0 : length === undefined ? undefined : Number(length);
    if (this.#left === 0) this.#finish(this.#answer);
    return rest;
  }

  #readBody(answer: ReadAnswer, left: number, bytes: Buffer): Buffer {
    if (answer.beginning === '') answer.beginning = bytes.toString('latin1', 0, Math.min(left, BEGINNING));
    if (bytes.length < left) {
      this.#left = left - bytes.length;
      return Buffer.alloc(0);
    }
    this.#finish(answer);
    return bytes.subarray(left);
  }

  /** Sizes are not read: bodies that the service sends in chunks are its own pages, none of which ends so within. */
  #readChunked(answer: ReadAnswer, bytes: Buffer): Buffer {
    const all = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    if (answer.beginning === '') answer.beginning = all.toString('latin1', 0, BEGINNING);
    const end = all.indexOf(LAST_CHUNK);
    if (end < 0) {
      this.#tail = Buffer.from(all.subarray(-LAST_CHUNK.length));
      return Buffer.alloc(0);
    }
    this.#tail = Buffer.alloc(0);
    this.#finish(answer);
    return all.subarray(end + LAST_CHUNK.length);
  }

  #finish(answer: ReadAnswer): void {
    this.#answer = undefined;
    this.#onAnswer(answer);
  }
}
