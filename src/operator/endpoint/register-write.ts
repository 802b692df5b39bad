import type { FastifyInstance } from 'fastify';
import { hashToken } from '../../api-keys/token.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Connection, Database } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import type { PathParameter } from '../../http/endpoint/declaration.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from '../../http/endpoint/idempotency.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';
import { sendCreated, sendJson } from '../../http/responses/respond.ts';
import { runOnce } from '../../requests/run-once.ts';
import {
  type OperatorCall,
  type OperatorEndpoint,
  type OperatorEndpointServices,
  registerOperatorEndpoint,
} from './register.ts';
import { seal, unseal } from './seal.ts';

export interface OperatorWriteServices extends OperatorEndpointServices {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Idempotency keys whose first request is in progress in this process. */
  inProgress: Set<string>;
  budgets: Budgets;
}

/** Writes in one transaction, once for each `Idempotency-Key`. */
export interface OperatorWrite<
  Definitions extends ParameterDefinitions,
  Path extends Readonly<Record<string, PathParameter>>,
> extends Omit<OperatorEndpoint<Definitions, Path>, 'method' | 'handle'> {
  method: 'POST' | 'DELETE';
  /** The transaction may be retried. Resolves to the body of the response. */
  write(connection: Connection, call: OperatorCall<Definitions, Path>): Promise<object>;
}

/**
 * The `Idempotency-Key` is bound to the endpoint, its parameters and the caller's token. The stored response
 * is encrypted with that token, because it may contain another one.
 */
export function registerOperatorWrite<
  Definitions extends ParameterDefinitions,
  Path extends Readonly<Record<string, PathParameter>>,
>(
  app: FastifyInstance,
  services: OperatorWriteServices,
  { write, ...endpoint }: OperatorWrite<Definitions, Path>,
): void {
  const { method, path: pattern, success } = endpoint;
  const headers = { 'Idempotency-Key': idempotencyKeyHeader, ...endpoint.headers };
  registerOperatorEndpoint<Definitions, Path>(app, services, {
    ...endpoint,
    headers,
    handle: async (call) => {
      const { request, reply, path, input, token } = call;
      const once = {
        merchantId: OPERATOR_ID,
        key: idempotencyKeyOf(request),
        endpoint: `${method} /operator${pattern}`,
        input: { path, input, caller: hashToken(token).toString('base64url') },
      };
      const sealed = await runOnce(services, once, async (connection) =>
        seal(JSON.stringify(await write(connection, call)), token),
      );
      const send = success.status === 201 ? sendCreated : sendJson;
      await send(request, reply, unseal(sealed, token));
    },
  });
}
