import type { Records } from './line-stream.ts';
import {
  type OperatorOperation,
  type OperatorResponseOf,
  operatorEndpoints,
  type StreamSummary,
} from './operator-operations.ts';
import { type ClientOptions, Sender } from './sender.ts';

export interface OperatorCallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

export interface OperatorWriteOptions extends OperatorCallOptions {
  /** Calls with the same key and parameters write once within 24 hours. Default: a new key for each call. */
  idempotencyKey?: string;
}

/** Values of parameters in the path are passed by name. */
export class OperatorCaller {
  readonly #sender: Sender;

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /** Without a key, each call gets a new one, which its retries reuse. */
  write<Name extends OperatorOperation>(
    operation: Name,
    inPath: Readonly<Record<string, string>>,
    parameters: object,
    { idempotencyKey = crypto.randomUUID(), signal }: OperatorWriteOptions,
  ): Promise<OperatorResponseOf<Name>> {
    return this.#send(operation, inPath, { parameters, idempotencyKey, signal });
  }

  /** Calls an operation. @throws {ApiError} @throws {ConnectionError} */
  call<Name extends OperatorOperation>(
    operation: Name,
    inPath: Readonly<Record<string, string>>,
    parameters: object,
    { signal }: OperatorCallOptions,
  ): Promise<OperatorResponseOf<Name>> {
    return this.#send(operation, inPath, { parameters, idempotencyKey: null, signal });
  }

  stream(
    operation: 'streamProducts' | 'streamSchedules' | 'streamOrders' | 'streamPlacements',
    externalId: string,
    records: () => Records,
    { signal }: OperatorCallOptions,
  ): Promise<StreamSummary> {
    const request = { parameters: {}, idempotencyKey: null, signal, records, timeoutMs: null };
    return this.#send(operation, { external_id: externalId }, request);
  }

  async #send<Name extends OperatorOperation>(
    operation: Name,
    inPath: Readonly<Record<string, string>>,
    request: {
      parameters: object;
      idempotencyKey: string | null;
      signal: AbortSignal | undefined;
      records?: () => Records;
      timeoutMs?: null;
    },
  ): Promise<OperatorResponseOf<Name>> {
    const { method, path: pattern } = operatorEndpoints[operation];
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(inPath[name] ?? ''),
    );
    const { body } = await this.#sender.send({
      method,
      path,
      ifMatch: null,
      simulate: undefined,
      ...request,
    });
    // The service's tests check its responses against the OpenAPI document.
    return body as OperatorResponseOf<Name>;
  }
}
