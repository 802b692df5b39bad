import type { Next } from './iterate.ts';
import { endpoints, type Import, type Operation, type ParametersOf, type ResponseOf } from './operations.ts';
import type { ImportOptions, WriteOptions } from './options.ts';
import { type ClientOptions, Sender } from './sender.ts';

const FILE_TIMEOUT_MS = 10 * 60 * 1000;

/** Remembers the headers of what the merchant API returned. */
export class Caller {
  readonly #sender: Sender;
  readonly #etags = new WeakMap<object, string>();
  /** Where the page after each page of a list begins. */
  readonly #next = new WeakMap<object, Next>();

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /** Returns undefined for objects that no call returned. */
  etagOf(record: object): string | undefined {
    return this.#etags.get(record);
  }

  /** Returns where the page after a page begins; null for the last page. */
  nextOf(page: object): Next | null {
    return this.#next.get(page) ?? null;
  }

  /** Without a key, each call gets a new one, which its retries reuse. */
  async write<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { idempotencyKey = crypto.randomUUID(), ...options }: WriteOptions,
  ): Promise<ResponseOf<Name>> {
    return await this.call(name, parameters, { ...options, idempotencyKey });
  }

  /** Calls an operation. @throws {ApiError} @throws {ConnectionError} */
  async call<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { signal, simulate, idempotencyKey, ifMatch }: WriteOptions,
  ): Promise<ResponseOf<Name>> {
    const { method, path } = endpoints[name];
    const { body, etag, next } = await this.#sender.send({
      method,
      ...fillPath(path, parameters),
      idempotencyKey: idempotencyKey ?? null,
      ifMatch: ifMatch ?? null,
      signal,
      simulate,
    });
    if (typeof body === 'object' && body !== null) {
      if (etag !== null) this.#etags.set(body, etag);
      if (next !== null) this.#next.set(body, next);
    }
    // The service's tests check its responses against the OpenAPI document.
    return body as ResponseOf<Name>;
  }

  /** Has a longer timeout. */
  async sendFile(
    file: Blob,
    parameters: ParametersOf<'importFile'>,
    { timeoutMs = FILE_TIMEOUT_MS, idempotencyKey = crypto.randomUUID(), signal, simulate }: ImportOptions,
  ): Promise<Import> {
    const name = 'name' in file && typeof file.name === 'string' ? file.name : undefined;
    const { body } = await this.#sender.send({
      ...endpoints.importFile,
      parameters: { name, ...parameters },
      idempotencyKey,
      ifMatch: null,
      signal,
      simulate,
      file,
      timeoutMs,
    });
    return body as Import;
  }
}

/** Moves the parameters that the path names into the path. */
function fillPath(pattern: string, parameters: object): { path: string; parameters: object } {
  if (Array.isArray(parameters)) return { path: pattern, parameters };
  const others = new Map<string, unknown>(Object.entries(parameters));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = others.get(name);
    others.delete(name);
    return encodeURIComponent(String(value));
  });
  return { path, parameters: Object.fromEntries(others) };
}
