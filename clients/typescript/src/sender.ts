import { ApiError, ConnectionError, type Sent } from './errors.ts';
import { readRetryAfter, sleep, waitAfter } from './retry.ts';

/** How to reach the service, as whom, and how patiently. */
export interface ClientOptions {
  /** The service's address with its base path, such as `https://shop.example/v1`. */
  baseUrl: string;
  /** The access token of a key. */
  token: string;
  /** The company whose software calls. The merchant sees it beside the key. */
  erpName?: string;
  /** How many times a request is sent at most: 5 unless given. */
  tries?: number;
  /** How long one try may take, in milliseconds: 30,000 unless given. */
  timeoutMs?: number;
  /** How long a call may take with all its tries and the waits between them, in milliseconds: 120,000 unless given. */
  totalMs?: number;
  /** Sends the requests, in place of the runtime's own `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** One request, in terms of the API. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  path: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Makes a POST safe to send again; null for a GET, which always is. */
  idempotencyKey: string | null;
  signal: AbortSignal | undefined;
}

/** Sends requests until there is an answer that stands, within bounds. It alone has the token. */
export class Sender {
  readonly #baseUrl: URL;
  readonly #token: string;
  readonly #erpName: string | undefined;
  readonly #tries: number;
  readonly #timeoutMs: number;
  readonly #totalMs: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  /** @throws {TypeError} where the address or the token cannot be used */
  constructor(options: ClientOptions) {
    this.#baseUrl = readBaseUrl(options.baseUrl);
    if (options.token.trim() === '') throw new TypeError('token is blank: expected an access token');
    this.#token = options.token;
    this.#erpName = options.erpName;
    this.#tries = options.tries ?? 5;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#totalMs = options.totalMs ?? 120_000;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
  }

  /**
   * The body of the answer. Where trying again may help, that is done; a wait that would not end in time
   * is not begun.
   * @throws {ApiError} {ConnectionError} what the last try came to; the signal's reason where it was aborted
   */
  async send(request: ApiRequest): Promise<unknown> {
    const end = performance.now() + this.#totalMs;
    for (let tries = 1; ; tries += 1) {
      request.signal?.throwIfAborted();
      try {
        const timeoutMs = Math.max(1, Math.min(this.#timeoutMs, Math.ceil(end - performance.now())));
        return await this.#try(request, timeoutMs, { tries, idempotencyKey: request.idempotencyKey });
      } catch (error) {
        request.signal?.throwIfAborted();
        const wait = waitAfter(error, tries);
        if (wait === null || tries >= this.#tries || performance.now() + wait >= end) throw error;
        await sleep(wait, request.signal);
      }
    }
  }

  async #try(request: ApiRequest, timeoutMs: number, sent: Sent): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(...this.#asFetched(request, signal));
      text = await response.text();
    } catch (error) {
      const reason = timeout.aborted ? `nothing within ${timeoutMs / 1000} s` : this.#withoutToken(error);
      throw new ConnectionError(`There was no answer from ${this.#baseUrl.origin}: ${reason}.`, sent);
    }
    const body = readJson(text);
    if (response.status === 200 && body !== undefined) return body;
    const { status, headers } = response;
    const message = this.#redact(messageOf(body) ?? describe(response));
    const requestId = headers.get('x-request-id');
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
    throw new ApiError({ status, message, requestId, retryAfterMs }, sent);
  }

  /**
   * What `fetch` takes. The API reads the token from the query or the post data, and `fetch` sends no post
   * data with GET: only there it is in the address.
   */
  #asFetched(
    { method, path, parameters, idempotencyKey }: ApiRequest,
    signal: AbortSignal,
  ): [url: string, init: RequestInit] {
    const values = new URLSearchParams({ access_token: this.#token });
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) values.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#erpName !== undefined) headers['x-erp-name'] = this.#erpName;
    if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
    // A redirect would take the token along to wherever it points.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', credentials: 'omit' };
    const url = `${this.#baseUrl.href}${path}`;
    return method === 'GET' ? [`${url}?${values}`, init] : [url, { ...init, body: values }];
  }

  /** Why `fetch` failed. Some runtimes put the address in, and with it the token. */
  #withoutToken(error: unknown): string {
    const reasons = [error, error instanceof Error ? error.cause : undefined]
      .filter((reason) => reason instanceof Error)
      .map(({ message }) => message)
      .filter((message) => message !== '');
    return this.#redact(reasons.join(': ') || 'the connection failed');
  }

  #redact(text: string): string {
    const encoded = new URLSearchParams({ '': this.#token }).toString().slice(1);
    return [this.#token, encoded, encodeURIComponent(this.#token)].reduce(
      (redacted, token) => redacted.replaceAll(token, '***'),
      text,
    );
  }
}

/** The address without a slash at its end. */
function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.search === '' && url.hash === '' && url.username === '') {
    return new URL(url.href.replace(/\/+$/, ''));
  }
  // It is not repeated: whoever put the token in would find it in a log.
  throw new TypeError('baseUrl cannot be used: expected an address such as https://shop.example/v1');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

function describe({ type, status }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return 'The answer is a redirect, which is not followed: expected the address of the service itself.';
  }
  return `The answer, with status ${status}, is not the service’s: expected JSON.`;
}
