import type { FastifyInstance } from 'fastify';
import type { Connection } from '../../database/database.ts';
import { type OnceServices, runOnce } from '../../requests/run-once.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from './idempotency.ts';
import { type Call, type Endpoint, type EndpointServices, registerEndpoint } from './register.ts';

export interface WriteServices extends EndpointServices, OnceServices {}

export interface WriteCall<Definitions extends ParameterDefinitions> extends Call<Definitions> {
  /** Runs `write` in a transaction, which may be retried, and resolves to its response or the first one. */
  once(write: (connection: Connection) => Promise<string>): Promise<string>;
}

export interface WriteEndpoint<Definitions extends ParameterDefinitions>
  extends Omit<Endpoint<Definitions>, 'method' | 'handle'> {
  /** Set if the transaction locks the merchant first: see `runOnce`. */
  locksMerchant?: boolean;
  handle(call: WriteCall<Definitions>): Promise<void>;
}

/** Registers a POST endpoint that writes once for each `Idempotency-Key` with its parameters or lines. */
export function registerWrite<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: WriteServices,
  { locksMerchant = false, handle, ...endpoint }: WriteEndpoint<Definitions>,
): void {
  registerEndpoint<Definitions>(app, services, {
    ...endpoint,
    method: 'POST',
    headers: { 'Idempotency-Key': idempotencyKeyHeader, ...endpoint.headers },
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
