export interface ResponseSummary {
  status: number;
  /** Status line and headers, as received. */
  head: string;
  beginning: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const BEGINNING = 300;

/** Reads consecutive responses from a keep-alive connection, and discards their bodies. */
export class ResponseReader {
  readonly #isHead: () => boolean;
  readonly #onResponse: (response: ResponseSummary) => void;
  #rest: Buffer = Buffer.alloc(0);
  #response: ResponseSummary | undefined;
  /** Bytes of the body still expected; undefined if it is chunked. */
  #left: number | undefined;
  #tail: Buffer = Buffer.alloc(0);

  /** `isHead`: the next response is to a HEAD request, and so has no body. */
  constructor(isHead: () => boolean, onResponse: (response: ResponseSummary) => void) {
    this.#isHead = isHead;
    this.#onResponse = onResponse;
  }

  push(chunk: Buffer): void {
    let bytes = chunk;
    while (bytes.length > 0) {
      if (this.#response === undefined) bytes = this.#readHead(bytes);
      else if (this.#left === undefined) bytes = this.#readChunked(this.#response, bytes);
      else bytes = this.#readBody(this.#response, this.#left, bytes);
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
    this.#response = { status, head, beginning: '' };
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
    const hasNoBody = status === 204 || status === 304 || this.#isHead();
    this.#left = hasNoBody ? 0 : length === undefined ? undefined : Number(length);
    if (this.#left === 0) this.#finish(this.#response);
    return rest;
  }

  #readBody(response: ResponseSummary, left: number, bytes: Buffer): Buffer {
    if (response.beginning === '')
      response.beginning = bytes.toString('latin1', 0, Math.min(left, BEGINNING));
    if (bytes.length < left) {
      this.#left = left - bytes.length;
      return Buffer.alloc(0);
    }
    this.#finish(response);
    return bytes.subarray(left);
  }

  /** Ignores chunk sizes: only the console's pages are chunked, and none contains the end marker. */
  #readChunked(response: ResponseSummary, bytes: Buffer): Buffer {
    const all = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    if (response.beginning === '') response.beginning = all.toString('latin1', 0, BEGINNING);
    const end = all.indexOf(LAST_CHUNK);
    if (end < 0) {
      this.#tail = Buffer.from(all.subarray(-LAST_CHUNK.length));
      return Buffer.alloc(0);
    }
    this.#tail = Buffer.alloc(0);
    this.#finish(response);
    return all.subarray(end + LAST_CHUNK.length);
  }

  #finish(response: ResponseSummary): void {
    this.#response = undefined;
    this.#onResponse(response);
  }
}
