import { Readable, Writable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { DomainError } from '../../errors/domain-error.ts';
import { MAX_BODY_BYTES, MAX_PARAMETERS } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { boundaryOf, malformed, type Part, readDisposition, readField } from './multipart.ts';
import type { RawParameter } from './raw-parameters.ts';

const FILE_FIELD = 'file';
/** The fields, their headers, and what is not a part. */
const MAX_BYTES_BEFORE_FILE = 4 * MAX_BODY_BYTES;

export interface MultipartFile {
  fields: RawParameter[];
  /** Undefined if the body has none. `abort` ends reading with an error, and closes the body. */
  file: { stream: Readable; name: string | undefined; abort: (error: Error) => void } | undefined;
}

/**
 * Reads a `multipart/form-data` body up to its field `file`. The file's stream reads the rest. The stream
 * fails with `unreadable_body` if the body is malformed or has more fields after the file. Whatever fails,
 * the body itself stays open.
 * @throws {DomainError} `unreadable_body` if the body is malformed, has another file, has more than 64 KiB of
 *   fields, or its file does not begin within 256 KiB; `too_many_parameters`
 */
export async function openMultipart(body: Readable, contentType: string): Promise<MultipartFile> {
  const reader = new MultipartReader(body, contentType);
  return await reader.opened;
}

class MultipartReader {
  readonly #body: Readable;
  readonly #dicer: Dicer;
  readonly #opened = Promise.withResolvers<MultipartFile>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #fields: Promise<RawParameter>[] = [];
  /** Whether the last part that began has not had its headers. */
  #isInHeaders = false;
  #fieldBytes = 0;
  #bytes = 0;
  readonly #input = new Writable({
    write: (chunk, _encoding, done) => this.#write(chunk, done),
    final: (done) => {
      this.#dicer.end();
      done();
    },
  });
  #file: Readable | undefined;

  constructor(body: Readable, contentType: string) {
    this.#body = body;
    this.#dicer = new Dicer({ boundary: boundaryOf(contentType) });
    // Awaited only by the file's stream.
    this.#ended.promise.catch(() => {});
    this.#dicer.on('part', (stream) => this.#addPart(stream));
    this.#dicer.on('error', () => this.#fail(malformed()));
    this.#dicer.on('finish', () => this.#finish());
    body.on('error', this.#onDisconnect);
    body.on('close', this.#onDisconnect);
    body.pipe(this.#input);
  }

  get opened(): Promise<MultipartFile> {
    return this.#opened.promise;
  }

  readonly #onDisconnect = (): void => {
    if (!this.#body.readableEnded) this.#fail(requestErrors.malformed_request());
  };

  #write(chunk: Buffer, done: () => void): void {
    try {
      if (this.#file === undefined && this.#bytes > MAX_BYTES_BEFORE_FILE) throw startsTooLate();
      this.#bytes += chunk.length;
      this.#dicer.write(chunk, () => done());
    } catch (error) {
      // An error of a part ends the reading of the whole chunk, which may have thousands of parts.
      this.#fail(error);
    }
  }

  /** @throws {DomainError} if there cannot be another part */
  #addPart(stream: Readable): void {
    stream.on('error', () => {});
    if (this.#file !== undefined)
      throw requestErrors.unreadable_body(`the field ${FILE_FIELD} must be the last one`);
    if (this.#isInHeaders) throw malformed();
    this.#isInHeaders = true;
    stream.once('header', (headers: object) => {
      this.#isInHeaders = false;
      const part: Part = { headers: new Map(Object.entries(headers)), content: [] };
      const disposition = readDisposition(part.headers.get('content-disposition')?.[0] ?? '');
      if (disposition?.get('name') === FILE_FIELD) {
        this.#open(stream, disposition.get('filename'));
      } else if (disposition?.has('filename') || disposition?.has('filename*')) {
        const name = disposition.get('name') ?? '';
        throw requestErrors.unreadable_body(`the file must be the field ${FILE_FIELD}, not ${name}`);
      } else {
        this.#addField(stream, part);
      }
    });
  }

  #open(stream: Readable, name: string | undefined): void {
    this.#file = stream;
    const file = Readable.from(this.#readFile(stream), { objectMode: false });
    Promise.all(this.#fields).then((fields) => {
      // A NUL cannot be stored. Like bytes that are not UTF-8, it is replaced.
      const decoded = name && Buffer.from(name, 'latin1').toString().replaceAll('\0', '\ufffd');
      const abort = (error: Error): void => {
        this.#fail(error);
        this.#body.destroy(error);
      };
      this.#opened.resolve({ fields, file: { stream: file, name: decoded, abort } });
    }, this.#opened.reject);
  }

  async *#readFile(stream: Readable): AsyncGenerator<Buffer> {
    yield* stream;
    await this.#ended.promise;
  }

  #addField(stream: Readable, part: Part): void {
    if (this.#fields.length === MAX_PARAMETERS) throw requestErrors.too_many_parameters(MAX_PARAMETERS);
    const { promise, resolve, reject } = Promise.withResolvers<RawParameter>();
    promise.catch((error) => this.#fail(error));
    this.#fields.push(promise);
    stream.on('data', (chunk: Buffer) => {
      this.#fieldBytes += chunk.length;
      if (this.#fieldBytes > MAX_BODY_BYTES) {
        reject(requestErrors.unreadable_body(`its fields are larger than ${MAX_BODY_BYTES / 1024} KiB`));
        part.content.length = 0;
        return;
      }
      part.content.push(chunk);
    });
    stream.on('end', () => {
      try {
        resolve(readField(part));
      } catch (error) {
        reject(error);
      }
    });
  }

  #finish(): void {
    if (this.#isInHeaders) {
      this.#fail(malformed());
      return;
    }
    this.#ended.resolve();
    Promise.all(this.#fields).then(
      (fields) => this.#opened.resolve({ fields, file: undefined }),
      this.#opened.reject,
    );
  }

  /** Discards the rest of the body, so that the client can read the response. */
  #fail(error: unknown): void {
    this.#body.unpipe(this.#input);
    this.#body.resume();
    // Once the file has begun, its stream fails, so that the token is checked first.
    if (this.#file === undefined) this.#opened.reject(error);
    this.#ended.reject(error);
    this.#file?.destroy(error instanceof Error ? error : undefined);
  }
}

function startsTooLate(): DomainError {
  return requestErrors.unreadable_body(
    `the field ${FILE_FIELD} must begin within its first ${MAX_BYTES_BEFORE_FILE / 1024} KiB`,
  );
}
