import type { FastifyInstance } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { hashToken } from '../../api-keys/token.ts';
import type { Verb } from '../../database/write-context.ts';
import type { PathParameters } from '../../http/endpoint/bind-path.ts';
import { registerWrite, type WriteServices } from '../../http/endpoint/register-write.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';
import { sendCreated, sendJson } from '../../http/responses/respond.ts';
import { once as runsOnce, type WriteResult } from '../../requests/run-once.ts';
import type { OperatorCall, OperatorCaller, OperatorEndpoint } from './register.ts';
import { seal, unseal } from './seal.ts';

export type OperatorWriteServices = WriteServices<OperatorCaller, OperatorScope>;

/** Writes in one transaction, once for each `Idempotency-Key`. */
export interface OperatorWrite<Definitions extends ParameterDefinitions, Path extends PathParameters>
  extends Omit<OperatorEndpoint<Definitions, Path>, 'method' | 'handle'> {
  method: 'POST' | 'DELETE';
  /** The context's merchant is `OPERATOR_ID`. Resolves to the body of the response. */
  write: Verb<Pick<OperatorCall<Definitions, Path>, 'path' | 'input'>, object>;
}

/**
 * The `Idempotency-Key` is bound to the endpoint, its parameters and the caller's token. The stored response
 * is encrypted with that token, because it may contain another one.
 */
export function registerOperatorWrite<Definitions extends ParameterDefinitions, Path extends PathParameters>(
  app: FastifyInstance,
  services: OperatorWriteServices,
  { write, ...endpoint }: OperatorWrite<Definitions, Path>,
): void {
  const send = endpoint.success.status === 201 ? sendCreated : sendJson;
  registerWrite<Definitions, Path, OperatorCaller, OperatorScope>(app, services, {
    ...endpoint,
    alsoCompared: ({ caller: { token } }) => hashToken(token).toString('base64url'),
    handle: async ({ request, reply, caller: { token }, path, input, once }) => {
      const sealed: Verb<Pick<OperatorCall<Definitions, Path>, 'path' | 'input'>, WriteResult> = async (
        context,
        call,
      ) => ({ response: seal(JSON.stringify(await write(context, call)), token), isChange: true });
      const { response } = await once(runsOnce(sealed), { path, input }, {});
      await send(request, reply, unseal(response, token));
    },
  });
}
