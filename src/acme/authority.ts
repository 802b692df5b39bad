import { setTimeout as pause } from 'node:timers/promises';
import { parseRetryAfter } from '../shared/retry-after.ts';
import type { AccountKey } from './account-key.ts';
import type { AuthorityConnection, AuthorityResponse } from './authority-connection.ts';
import { AcmeError } from './errors.ts';
import { Resource } from './resource.ts';

interface Parts {
  directory: string;
  connection: Pick<AuthorityConnection, 'send'>;
  key: AccountKey;
  /** Milliseconds since 1970. */
  now: () => number;
  signal: AbortSignal;
}

/** Authorities may refuse a nonce at any time. */
const NONCE_TRIES = 10;
const POLL_MS = 1_000;
const MAX_POLL_MS = 15_000;
const MAX_DETAIL_LENGTH = 500;

/** The calls of the protocol ACME (RFC 8555) that an order needs, as one account. */
export class Authority {
  readonly #parts: Parts;
  #directory: Resource | undefined;
  #account: string | undefined;
  #nonce: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Creates the account, or finds the one with this key. To be called first. @throws {AcmeError} */
  async signIn(email: string | null): Promise<void> {
    const { connection, directory } = this.#parts;
    const response = await connection.send({ method: 'GET', url: directory });
    if (response.status !== 200) throw this.#refusal(response, 'the directory');
    this.#directory = Resource.parse(response.text);
    const contact = email === null ? {} : { contact: [`mailto:${email}`] };
    const payload = { termsOfServiceAgreed: true, ...contact };
    const created = await this.#post(this.#directory.text('newAccount'), payload, 'the account');
    this.#account = locationOf(created);
  }

  /** Resolves to the URL of the order, and the order. @throws {AcmeError} */
  async createOrder(hosts: readonly string[]): Promise<{ url: string; order: Resource }> {
    const payload = { identifiers: hosts.map((value) => ({ type: 'dns', value })) };
    const url = this.#directory?.text('newOrder') ?? '';
    const response = await this.#post(url, payload, 'the order');
    return { url: locationOf(response), order: Resource.parse(response.text) };
  }

  /** Reads what is at `url`. `what` names it in messages. @throws {AcmeError} */
  async read(url: string, what: string): Promise<Resource> {
    return Resource.parse((await this.#post(url, null, what)).text);
  }

  /** Reads what is at `url` until its status is none of `states`. @throws {AcmeError} */
  async readUntilNot(states: readonly string[], url: string, what: string): Promise<Resource> {
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_POLL_MS)) {
      const response = await this.#post(url, null, what);
      const resource = Resource.parse(response.text);
      if (!states.includes(resource.text('status'))) return resource;
      const wanted = parseRetryAfter(response.headers['retry-after'], this.#parts.now()) ?? pauseMs;
      await pause(Math.min(wanted, MAX_POLL_MS), undefined, { signal: this.#parts.signal });
    }
  }

  /** Tells the authority that it can check a challenge. @throws {AcmeError} */
  async startChallenge(url: string): Promise<void> {
    await this.#post(url, {}, 'the challenge');
  }

  /** `request` is a certificate request in DER. @throws {AcmeError} */
  async finalize(url: string, request: Buffer): Promise<void> {
    await this.#post(url, { csr: request.toString('base64url') }, 'the certificate request');
  }

  /** Resolves to the certificate and its chain, in PEM. @throws {AcmeError} */
  async download(url: string): Promise<string> {
    return (await this.#post(url, null, 'the certificate')).text;
  }

  async #post(url: string, payload: object | null, what: string): Promise<AuthorityResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const account = this.#account === undefined ? { jwk: this.#parts.key.jwk } : { kid: this.#account };
      const header = { ...account, nonce: await this.#takeNonce(), url };
      const body = this.#parts.key.sign(header, payload);
      const response = await this.#parts.connection.send({ method: 'POST', url, body });
      this.#keepNonce(response);
      if (response.status >= 200 && response.status < 300) return response;
      if (
        problemOf(response).textIfAny('type') !== 'urn:ietf:params:acme:error:badNonce' ||
        attempt === NONCE_TRIES
      )
        throw this.#refusal(response, what);
    }
  }

  async #takeNonce(): Promise<string> {
    if (this.#nonce === undefined) {
      const url = this.#directory?.text('newNonce') ?? '';
      this.#keepNonce(await this.#parts.connection.send({ method: 'HEAD', url }));
    }
    const nonce = this.#nonce;
    if (nonce === undefined) throw new AcmeError('unreachable', 'the authority sent no nonce');
    this.#nonce = undefined;
    return nonce;
  }

  #refusal(response: AuthorityResponse, what: string): AcmeError {
    const problem = problemOf(response);
    const details = [problem, ...problem.objects('subproblems')]
      .map(describeProblem)
      .filter((text) => text !== '');
    const { status, headers } = response;
    const reason = details.join('; ').slice(0, MAX_DETAIL_LENGTH) || `status ${status}`;
    return new AcmeError(
      status >= 400 && status < 500 ? 'refused' : 'unreachable',
      `the authority refused ${what}: ${reason}`,
      { retryAfterMs: parseRetryAfter(headers['retry-after'], this.#parts.now()) ?? null },
    );
  }

  #keepNonce({ headers }: AuthorityResponse): void {
    const nonce = headers['replay-nonce'];
    if (typeof nonce === 'string') this.#nonce = nonce;
  }
}

function locationOf({ headers: { location } }: AuthorityResponse): string {
  if (location !== undefined) return location;
  throw new AcmeError('unreachable', 'the authority sent no Location');
}

/** An empty object if the response has none. */
function problemOf({ text }: AuthorityResponse): Resource {
  try {
    return Resource.parse(text);
  } catch {
    return new Resource({});
  }
}

/** Returns what is wrong in the authority's words, on one line. */
export function describeProblem(problem: Resource): string {
  const host = problem.object('identifier').textIfAny('value');
  const detail = (problem.textIfAny('detail') ?? '').replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  const text = detail.slice(0, MAX_DETAIL_LENGTH);
  return host === null || text === '' ? text : `${host}: ${text}`;
}
