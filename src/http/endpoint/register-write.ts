import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connection, Database } from '../../database/database.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import { MAX_WRITE_BYTES } from '../request-limits.ts';
import type { EndpointDeclaration } from './declaration.ts';
import { idempotencyKeyOf, runOnce } from './idempotency.ts';
import { type Call, type EndpointServices, registerEndpoint } from './register.ts';

/** The services that all endpoints that write share. */
export interface WriteServices extends EndpointServices {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The idempotency keys whose first request is in progress in this process. */
  inProgress: Set<string>;
}

/** An endpoint that writes in one transaction. */
export interface WriteEndpoint<Definitions extends ParameterDefinitions>
  extends Omit<EndpointDeclaration<Definitions>, 'method' | 'bodyLimit'> {
  /** Writes inside the transaction, which may be retried. Resolves to the body of the response, a JSON text. */
  write(connection: Connection, call: Call<Definitions>): Promise<string>;
  /** Sends the body: `sendJson` or `sendRecord`. */
  send(request: FastifyRequest, reply: FastifyReply, json: string): Promise<void>;
}

/**
 * Registers a POST endpoint that runs once for each `Idempotency-Key`. The key is bound to the endpoint and to its
 * parameters.
 */
export function registerWrite<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: WriteServices,
  { write, send, ...endpoint }: WriteEndpoint<Definitions>,
): void {
  registerEndpoint<Definitions>(app, services, {
    ...endpoint,
    method: 'POST',
    bodyLimit: MAX_WRITE_BYTES,
    handle: async (call) => {
      const { request, reply, caller, input } = call;
      const key = idempotencyKeyOf(request);
      const name = `POST ${endpoint.path}`;
      const once = { merchantId: caller.merchantId, key, endpoint: name, input };
      const json = await runOnce(services, once, (connection) => write(connection, call));
      await send(request, reply, json);
    },
  });
}
