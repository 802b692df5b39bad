import { setTimeout as pause } from 'node:timers/promises';
import type { ClientResponse, RequestOptions } from '../../support/client.ts';
import type { Cluster } from '../nodes/cluster.ts';

const RETRY_MS = 100;

/** What became of a call. */
export interface LoggedCall {
  path: string;
  /** Undefined if it got no response: nobody knows whether it was carried out. */
  status: number | undefined;
  /** The body of a response with status 200 to a merchant’s call. */
  record: string | undefined;
}

/**
 * Sends calls with IDs by which the history names them. Merchants’ calls also have an `Idempotency-Key`, and
 * are repeated until they get a response, so that a call is carried out once or not at all.
 */
export class CallLog {
  /** By the ID of the call. */
  readonly calls = new Map<string, LoggedCall>();
  readonly #cluster: Pick<Cluster, 'send'>;
  #sent = 0;
  repeated = 0;
  /** Responses with status 500. */
  readonly failed: string[] = [];

  constructor(cluster: Pick<Cluster, 'send'>) {
    this.#cluster = cluster;
  }

  /** As `Cluster.send`. */
  async send(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<ClientResponse | undefined> {
    if (method === 'GET') return await this.#cluster.send(method, path, options);
    this.#sent += 1;
    const id = `call-${this.#sent}`;
    const isMerchants = path.startsWith('/v1/');
    const key: Record<string, string> = isMerchants ? { 'idempotency-key': id } : {};
    const sent = { ...options, headers: { ...options.headers, ...key, 'x-request-id': id } };
    let response = await this.#cluster.send(method, path, sent);
    while (isMerchants && isOpen(response)) {
      this.repeated += 1;
      await pause(RETRY_MS);
      response = await this.#cluster.send(method, path, sent);
    }
    if (response?.status === 500) this.failed.push(`${method} ${path}: ${response.text}`);
    const record = isMerchants && response?.status === 200 ? response.text : undefined;
    this.calls.set(id, { path: path.replace(/\?.*/, ''), status: response?.status, record });
    return response;
  }

  /** As `Client.request`. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<ClientResponse> {
    const response = await this.send(method, path, options);
    if (response === undefined) throw new Error(`no response to ${method} ${path}`);
    return response;
  }
}

/** Whether the same call may still get another response. */
function isOpen(response: ClientResponse | undefined): boolean {
  if (response === undefined || response.status === 503) return true;
  return response.status === 409 && response.text.includes('Idempotency-Key');
}
