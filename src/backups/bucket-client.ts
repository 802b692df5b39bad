import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import { messageOf } from '../shared/error-message.ts';
import type { BucketSettings } from './backup-settings.ts';
import { BucketError } from './errors.ts';
import { readXml } from './read-xml.ts';

export interface StoredObject {
  key: string;
  bytes: number;
}

interface Options {
  signal: AbortSignal;
  /** How long the server may take for a response, or for the next bytes of one. */
  timeoutMs?: number;
  retryMs?: number;
}

interface Call {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  body?: Buffer;
}

const TIMEOUT_MS = 60_000;
const RETRY_MS = 1_000;
const ATTEMPTS = 4;
/** S3 has at most 10,000 parts, of at least 5 MB but for the last. */
const MIN_PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 9_000;

/** The calls of S3’s API that backups need. Each is tried again if the server is away or fails. */
export class BucketClient {
  readonly #settings: BucketSettings;
  readonly #options: Required<Options>;
  #aws: Promise<AwsClient> | undefined;

  constructor(settings: BucketSettings, { signal, timeoutMs = TIMEOUT_MS, retryMs = RETRY_MS }: Options) {
    this.#settings = settings;
    this.#options = { signal, timeoutMs, retryMs };
  }

  /** @throws {BucketError} */
  async list(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    for (let token: string | undefined; ; ) {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
      const xml = readXml(await this.#text({ method: 'GET', key: '', query }));
      found.push(
        ...xml
          .all('Contents')
          .map((entry) => ({ key: entry.text('Key'), bytes: Number(entry.text('Size')) })),
      );
      token = xml.text('NextContinuationToken') || undefined;
      if (xml.text('IsTruncated') !== 'true' || token === undefined) return found;
    }
  }

  /**
   * Stores an object of about `bytes`, in parts if it is large. It appears when it is complete.
   * @throws {BucketError} and what `source` throws
   */
  async put(key: string, source: AsyncIterable<Buffer>, bytes: number): Promise<void> {
    const size = Math.max(MIN_PART_BYTES, Math.ceil(bytes / MAX_PARTS));
    const parts = inParts(source, size);
    const first = await parts.next();
    const body = first.done === true ? Buffer.alloc(0) : first.value;
    if (body.length < size) {
      await this.#text({ method: 'PUT', key, body });
      return;
    }
    const begun = readXml(await this.#text({ method: 'POST', key, query: { uploads: '' } }));
    const uploadId = begun.text('UploadId');
    try {
      await this.#putParts(key, uploadId, body, parts);
    } catch (error) {
      await this.#abort(key, uploadId);
      throw error;
    }
  }

  /** Yields the content of an object. @throws {BucketError}, also if the connection breaks */
  async *get(key: string): AsyncGenerator<Uint8Array> {
    const { response, touch, end } = await this.#fetch({ method: 'GET', key });
    try {
      if (response.body === null) return;
      for await (const chunk of response.body) {
        touch();
        yield chunk;
      }
    } catch (error) {
      throw this.#unreachable(error);
    } finally {
      end();
    }
  }

  /** Also if there is no such object. @throws {BucketError} */
  async remove(key: string): Promise<void> {
    await this.#text({ method: 'DELETE', key });
  }

  async #putParts(key: string, uploadId: string, first: Buffer, rest: AsyncIterable<Buffer>): Promise<void> {
    const etags: string[] = [];
    const putPart = async (body: Buffer): Promise<void> => {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const { response, end } = await this.#fetch({ method: 'PUT', key, query, body });
      await response.body?.cancel();
      end();
      etags.push(response.headers.get('etag') ?? '');
    };
    await putPart(first);
    for await (const part of rest) await putPart(part);
    const list = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    const completed = readXml(await this.#text({ method: 'POST', key, query: { uploadId }, body }));
    // The status can be 200 even so.
    if (completed.all('CompleteMultipartUploadResult').length === 0)
      throw this.#refused(completed.text('Code') || 'without a reason');
  }

  /** So that the parts take no space. The server may be away. */
  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#send(
      { method: 'DELETE', key, query: { uploadId } },
      AbortSignal.timeout(this.#options.timeoutMs),
    )
      .then((response) => response.body?.cancel())
      .catch(() => {});
  }

  async #text(call: Call): Promise<string> {
    const { response, end } = await this.#fetch(call);
    try {
      return await response.text();
    } catch (error) {
      throw this.#unreachable(error);
    } finally {
      end();
    }
  }

  /** Resolves to a successful response. `touch` gives it more time, and `end` ends its timer. */
  async #fetch(call: Call): Promise<{ response: Response; touch: () => void; end: () => void }> {
    const { signal, timeoutMs, retryMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const slow = new AbortController();
      const timer = setTimeout(
        () => slow.abort(new Error(`no response within ${timeoutMs / 1000} s`)),
        timeoutMs,
      ).unref();
      const end = (): void => clearTimeout(timer);
      let failure: BucketError;
      try {
        signal.throwIfAborted();
        const response = await this.#send(call, AbortSignal.any([signal, slow.signal]));
        if (response.ok) return { response, touch: () => timer.refresh(), end };
        failure = this.#refused(await describeRefusal(response));
        if (response.status < 500 && response.status !== 429) attempt = ATTEMPTS;
      } catch (error) {
        if (signal.aborted) attempt = ATTEMPTS;
        failure = this.#unreachable(error);
      }
      end();
      if (attempt >= ATTEMPTS) throw failure;
      await pause(retryMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => {});
    }
  }

  async #send({ method, key, query = {}, body }: Call, signal: AbortSignal): Promise<Response> {
    const { endpoint, bucket } = this.#settings;
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The server refuses a body that arrives with another checksum.
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    this.#aws ??= this.#createSigner();
    const request = await (await this.#aws).sign(url.href, {
      method,
      headers: { 'x-amz-content-sha256': sha256 },
      ...(body !== undefined && { body: new Uint8Array(body) }),
    });
    return await fetch(request, { signal, redirect: 'manual' });
  }

  /** Loaded only if it is used. */
  async #createSigner(): Promise<AwsClient> {
    const { AwsClient: Signer } = await import('aws4fetch');
    const { accessKeyId, secretAccessKey, region } = this.#settings;
    return new Signer({ accessKeyId, secretAccessKey, region, service: 's3' });
  }

  #refused(reason: string): BucketError {
    return new BucketError(`The bucket ${this.#settings.bucket} refused the call: ${reason}.`);
  }

  #unreachable(error: unknown): BucketError {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    const reason = messageOf(cause ?? error).replace(/\.$/, '');
    return new BucketError(`The server ${new URL(this.#settings.endpoint).host} cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

async function describeRefusal(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  const xml = readXml(text.slice(0, 10_000));
  const [code, message] = [xml.text('Code'), xml.text('Message').replace(/\.$/, '')];
  if (code !== '') return message === '' ? code : `${code}, ${message}`;
  return response.status >= 300 && response.status < 400
    ? `status ${response.status}, which means another address or region`
    : `status ${response.status}`;
}

/** Splits into buffers of `size`, of which only the last is smaller. */
async function* inParts(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    kept.push(chunk);
    length += chunk.length;
    while (length >= size) {
      const all = Buffer.concat(kept);
      yield all.subarray(0, size);
      kept = [all.subarray(size)];
      length -= size;
    }
  }
  if (length > 0) yield Buffer.concat(kept);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
