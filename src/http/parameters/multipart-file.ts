import { Readable } from 'node:stream';
import { MAX_BODY_BYTES, MAX_PARAMETERS } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { readerOf } from './body-reader.ts';
import { boundaryOf, malformed, readDisposition, readField, readHeaders } from './multipart.ts';
import type { RawParameter } from './raw-parameters.ts';

const FILE_FIELD = 'file';
/** The fields, their headers, and what is not a part. */
const MAX_BYTES_AROUND_FILE = 4 * MAX_BODY_BYTES;

export interface MultipartFile {
  stream: Readable;
  name: string | undefined;
  /** The fields after the file, once the stream has ended. */
  fieldsAfter: readonly RawParameter[];
  /** Makes the stream fail. The body itself stays open. */
  fail: (error: Error) => void;
}

/**
 * Reads a `multipart/form-data` body up to its field `file`, which is undefined if there is none. The file's
 * stream reads the rest, and fails as this function does. Whatever fails, the body itself stays open.
 * @throws {DomainError} `unreadable_body` if the body is malformed, has another file, has more than 64 KiB of
 *   fields, or more than 256 KiB apart from the file; `too_many_parameters`
 */
export async function openMultipart(
  body: Readable,
  contentType: string,
): Promise<{ fields: RawParameter[]; file: MultipartFile | undefined }> {
  return await new MultipartReader(body, boundaryOf(contentType)).open();
}

class MultipartReader {
  readonly #reader: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: string;
  /** What has been read and not been used. The first delimiter needs no line break in the body. */
  #rest = Buffer.from('\r\n');
  #bytesLeft = MAX_BYTES_AROUND_FILE;
  #isInFile = false;
  #fields = 0;
  #fieldBytes = 0;

  constructor(body: Readable, boundary: string) {
    this.#delimiter = `\r\n--${boundary}`;
    this.#reader = readerOf(body);
    this.#chunks = this.#reader[Symbol.asyncIterator]();
  }

  async open(): Promise<{ fields: RawParameter[]; file: MultipartFile | undefined }> {
    const fields: RawParameter[] = [];
    await this.#read(this.#delimiter);
    const start = await this.#readFields(fields);
    return { fields, file: start && this.#open(start.fileName) };
  }

  /** Reads fields up to a file, whose content is next; undefined at the end of the body. */
  async #readFields(fields: RawParameter[]): Promise<{ fileName: string | undefined } | undefined> {
    while (!(await this.#isAtEnd())) {
      const text = (await this.#read('\r\n\r\n')).toString('latin1');
      const headers = readHeaders(text);
      if (text.includes(this.#delimiter)) throw malformed();
      const disposition = readDisposition(headers.get('content-disposition')?.[0] ?? '');
      const name = disposition?.get('name') ?? '';
      if (name === FILE_FIELD) return { fileName: disposition?.get('filename') };
      if (disposition?.has('filename') || disposition?.has('filename*'))
        throw requestErrors.unreadable_body(`the file must be the field ${FILE_FIELD}, not ${name}`);
      this.#fields += 1;
      if (this.#fields > MAX_PARAMETERS) throw requestErrors.too_many_parameters(MAX_PARAMETERS);
      const content = await this.#read(this.#delimiter);
      this.#fieldBytes += content.length;
      if (this.#fieldBytes > MAX_BODY_BYTES)
        throw requestErrors.unreadable_body(`its fields are larger than ${MAX_BODY_BYTES / 1024} KiB`);
      fields.push(readField({ headers, content }));
    }
    return undefined;
  }

  #open(name: string | undefined): MultipartFile {
    const fieldsAfter: RawParameter[] = [];
    return {
      stream: Readable.from(this.#readFile(fieldsAfter), { objectMode: false }),
      // A NUL cannot be stored. Like bytes that are not UTF-8, it is replaced.
      name: name && Buffer.from(name, 'latin1').toString().replaceAll('\0', '\ufffd'),
      fieldsAfter,
      fail: (error) => void this.#reader.destroy(error),
    };
  }

  async *#readFile(fieldsAfter: RawParameter[]): AsyncGenerator<Buffer> {
    this.#isInFile = true;
    yield* this.#until(this.#delimiter);
    this.#isInFile = false;
    if ((await this.#readFields(fieldsAfter)) !== undefined)
      throw requestErrors.unreadable_body(`it has the field ${FILE_FIELD} twice`);
  }

  async #read(mark: string): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.#until(mark)));
  }

  /** Yields what precedes `mark`, and skips the mark. @throws {DomainError} `unreadable_body` */
  async *#until(mark: string): AsyncGenerator<Buffer> {
    for (;;) {
      const index = this.#rest.indexOf(mark);
      // The last bytes may be the beginning of the mark.
      const end = index < 0 ? Math.max(0, this.#rest.length - mark.length + 1) : index;
      const content = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(index < 0 ? end : index + mark.length);
      if (content.length > 0) yield content;
      if (index >= 0) return;
      await this.#readMore();
    }
  }

  /** Whether the delimiter before was the last one. Reads what follows it. */
  async #isAtEnd(): Promise<boolean> {
    while (this.#rest.length < 2) await this.#readMore();
    if (this.#rest.toString('latin1', 0, 2) !== '--') return false;
    while ((await this.#next()) !== undefined);
    return true;
  }

  async #readMore(): Promise<void> {
    const chunk = await this.#next();
    if (chunk === undefined) throw malformed();
    this.#rest = Buffer.concat([this.#rest, chunk]);
  }

  async #next(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next();
    if (done) return undefined;
    if (this.#isInFile) return value;
    if (this.#bytesLeft < 0)
      throw requestErrors.unreadable_body(
        `apart from the field ${FILE_FIELD}, it is larger than ${MAX_BYTES_AROUND_FILE / 1024} KiB`,
      );
    this.#bytesLeft -= value.length;
    return value;
  }
}
