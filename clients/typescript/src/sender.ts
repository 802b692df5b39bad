import { ApiError, ConnectionError, type Problem, type Sent } from './errors.ts';
import type { Next } from './iterate.ts';
import { LineStream, type Records } from './line-stream.ts';
import { readRetryAfter, sleep, waitAfter } from './retry.ts';

export interface ClientOptions {
  /** The service's URL with its base path, such as `https://shop.example/v1`. */
  baseUrl: string;
  token: string;
  /** The company that makes the calling software. The merchant sees it next to the key. */
  erpName?: string;
  /** How many times to send a request at most. Default: 5. */
  tries?: number;
  /** The timeout of one try. Default: 30,000. */
  timeoutMs?: number;
  /** The timeout of a call with all tries and waits. Default: 120,000. */
  totalMs?: number;
  /** Replaces the runtime's `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Parameters by name, or a list of lines. */
  parameters: object;
  /** Makes a POST safe to retry; null for a GET, which always is. */
  idempotencyKey: string | null;
  /** The ETag of the record that the write is based on. */
  ifMatch: string | null;
  signal: AbortSignal | undefined;
  /** The header `Tradepost-Simulate`. */
  simulate: string | undefined;
  /** Sent as the body; the parameters are then in the query. */
  file?: Blob;
  /** Records to stream as the body, for each try. */
  records?: () => Records;
  /** The timeout of one try, if not the client's; null for none. */
  timeoutMs?: number | null;
}

export interface ApiResponse {
  body: unknown;
  etag: string | null;
  /** Where the next page of a list begins; null if there is none. */
  next: Next | null;
}

/** The only object that has the token. */
export class Sender {
  readonly #baseUrl: URL;
  readonly #token: string;
  readonly #erpName: string | undefined;
  readonly #tries: number;
  readonly #timeoutMs: number;
  readonly #totalMs: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  /** @throws {TypeError} if the URL or the token is invalid */
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
   * Retries if that may help and the wait ends in time.
   * @throws {ApiError} or {ConnectionError} of the last try, or the signal's reason if it was aborted
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const { timeoutMs: ownLimitMs = this.#timeoutMs } = request;
    const isLimited = ownLimitMs !== null;
    const end = isLimited
      ? performance.now() + Math.max(this.#totalMs, request.timeoutMs ?? 0)
      : Number.POSITIVE_INFINITY;
    for (let tries = 1; ; tries += 1) {
      request.signal?.throwIfAborted();
      try {
        const timeoutMs = isLimited
          ? Math.max(1, Math.min(ownLimitMs, Math.ceil(end - performance.now())))
          : null;
        return await this.#try(request, timeoutMs, { tries, idempotencyKey: request.idempotencyKey });
      } catch (error) {
        request.signal?.throwIfAborted();
        const wait = waitAfter(error, tries);
        if (wait === null || tries >= this.#tries || performance.now() + wait >= end) throw error;
        await sleep(wait, request.signal);
      }
    }
  }

  /** @throws also what the records of a stream throw */
  async #try(request: ApiRequest, timeoutMs: number | null, sent: Sent): Promise<ApiResponse> {
    const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [request.signal, timeout].filter((signal) => signal !== undefined);
    const lines = request.records === undefined ? undefined : new LineStream(request.records());
    let response: Response;
    let text: string;
    try {
      const [url, init] = this.#fetchArguments(request, AbortSignal.any(signals));
      const streamed = lines === undefined ? {} : { body: lines.stream, duplex: 'half' as const };
      response = await this.#fetch(url, { ...init, ...streamed });
      text = await response.text();
    } catch (error) {
      if (lines?.failure !== undefined) throw lines.failure.error;
      const reason = timeout?.aborted
        ? `timed out after ${(timeoutMs ?? 0) / 1000} s`
        : this.#withoutToken(error);
      throw new ConnectionError(`No response from ${this.#baseUrl.origin}: ${reason}.`, sent);
    } finally {
      lines?.stop();
    }
    const body = readJson(text);
    const { status, headers } = response;
    if ((status === 200 || status === 201 || status === 202) && body !== undefined) {
      return { body, etag: headers.get('etag'), next: readNext(headers) };
    }
    const message = this.#redact(messageOf(body) ?? describe(response));
    const requestId = headers.get('x-request-id');
    const code = headers.get('tradepost-error');
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
    const problems = problemsOf(body);
    throw new ApiError({ status, code, message, problems, requestId, retryAfterMs }, sent);
  }

  /** The token is in a header, so that no log of URLs contains it. */
  #fetchArguments(
    { method, path, parameters, idempotencyKey, ifMatch, simulate, file, records }: ApiRequest,
    signal: AbortSignal,
  ): [url: string, init: RequestInit] {
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${this.#token}`,
      'tradepost-problems': 'true',
    };
    if (this.#erpName !== undefined) headers['x-erp-name'] = this.#erpName;
    if (simulate !== undefined) headers['tradepost-simulate'] = simulate;
    if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
    if (ifMatch !== null) headers['if-match'] = ifMatch;
    // A followed redirect would send the token to its target.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', credentials: 'omit' };
    const url = `${this.#baseUrl.href}${path}`;
    if (records !== undefined) {
      headers['content-type'] = 'application/x-ndjson';
      return [url, init];
    }
    if ((method === 'POST' || method === 'PUT') && file === undefined) {
      headers['content-type'] = 'application/json';
      return [url, { ...init, body: JSON.stringify(parameters, asSent) }];
    }
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    if (file !== undefined) {
      headers['content-type'] = 'application/octet-stream';
      init.body = file;
    }
    return [query.size === 0 ? url : `${url}?${query}`, init];
  }

  /** Some runtimes include the URL, which may contain the token, in why `fetch` failed. */
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

/** Removes slashes at the end. */
function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.search === '' && url.hash === '' && url.username === '') {
    return new URL(url.href.replace(/\/+$/, ''));
  }
  // The message does not repeat the URL, which may contain a token.
  throw new TypeError('baseUrl is invalid: expected a URL such as https://shop.example/v1');
}

/** The service rejects NaN and infinity as text, by name. JSON would turn them into null. */
function asSent(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the link to the next page. Lists without positions have pages by number. */
function readNext(headers: Headers): Next | null {
  const [, query] = /<[^>?]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (query === undefined) return null;
  const parameters = new URLSearchParams(query);
  const after = parameters.get('after');
  return after === null ? { page: Number(parameters.get('page')) } : { after };
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

function problemsOf(body: unknown): Problem[] {
  if (typeof body !== 'object' || body === null || !('problems' in body)) return [];
  const problems: unknown[] = Array.isArray(body.problems) ? body.problems : [];
  return problems.filter(isProblem);
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { field, reason } = value as Partial<Record<keyof Problem, unknown>>;
  return typeof field === 'string' && typeof reason === 'string';
}

function describe({ type, status }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return 'The response is a redirect, which is not followed. Use the URL of the service itself.';
  }
  return `Expected JSON, but got a response with status ${status} that is not the service’s.`;
}
