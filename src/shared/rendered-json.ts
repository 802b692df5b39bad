import { hash } from 'node:crypto';
import { compress, type Encoding } from './compression.ts';

/** A JSON text with its weak ETag, and each compressed form once it is needed. */
export class RenderedJson {
  readonly #bytes: Buffer;
  readonly #compressed = new Map<Encoding, Buffer>();
  #etag: string | undefined;

  /** `etag` must differ whenever the bytes differ. By default, it is computed from the bytes when needed. */
  constructor(bytes: Buffer, etag?: string) {
    this.#bytes = bytes;
    this.#etag = etag;
  }

  static of<Value>(value: Value): RenderedJson {
    return new RenderedJson(Buffer.from(JSON.stringify(value)));
  }

  /** In bytes, before compression. */
  get length(): number {
    return this.#bytes.length;
  }

  get etag(): string {
    this.#etag ??= `W/"${hash('sha1', this.#bytes, 'base64url')}"`;
    return this.#etag;
  }

  toString(): string {
    return this.#bytes.toString();
  }

  async encoded(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.#bytes;
    let bytes = this.#compressed.get(encoding);
    if (bytes === undefined) {
      bytes = await compress(this.#bytes, encoding);
      this.#compressed.set(encoding, bytes);
    }
    return bytes;
  }
}
