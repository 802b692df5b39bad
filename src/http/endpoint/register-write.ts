import type { FastifyInstance } from 'fastify';
import type { Connection } from '../../database/database.ts';
import { type OnceServices, runOnce } from '../../requests/run-once.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { type Call, type Endpoint, type EndpointServices, registerEndpoint } from './register.ts';

/** The services that all endpoints that write share. */
export interface WriteServices extends EndpointServices, OnceServices {}

/** A checked request of an endpoint that writes. */
export interface WriteCall<Definitions extends ParameterDefinitions> extends Call<Definitions> {
  /**
   * Runs `write` in a transaction, which may be retried, and resolves to its response, a JSON text. A repeated request
   * gets the first response instead: see `runOnce`.
   */
  once(write: (connection: Connection) => Promise<string>): Promise<string>;
}

/** An endpoint that writes in one transaction, and its handler. */
export interface WriteEndpoint<Definitions extends ParameterDefinitions>
  extends Omit<Endpoint<Definitions>, 'method' | 'handle'> {
  /** Set if the transaction locks the merchant first: see `runOnce`. */
  locksMerchant?: boolean;
  /** Calls `once` with its write, and sends the response. */
  handle(call: WriteCall<Definitions>): Promise<void>;
}

/**
 * Registers a POST endpoint that writes once for each `Idempotency-Key`. The key is bound to the endpoint and to its
 * parameters or lines.
 */
export function registerWrite<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: WriteServices,
  { locksMerchant = false, handle, ...endpoint }: WriteEndpoint<Definitions>,
): void {
  registerEndpoint<Definitions>(app, services, {
    ...endpoint,
    method: 'POST',
    handle: async (call) => {
      const { request, caller, input, lines } = call;
      const once = {
        merchantId: caller.merchantId,
        key: idempotencyKeyOf(request),
        endpoint: `POST ${endpoint.path}`,
        input: endpoint.lines === undefined ? input : lines.map(({ text }) => text),
        locksMerchant,
      };
      await handle({ ...call, once: (write) => runOnce(services, once, write) });
    },
  });
}
