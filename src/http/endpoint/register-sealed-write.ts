import type { FastifyInstance } from 'fastify';
import { hashToken } from '../../api-keys/token.ts';
import type { Verb } from '../../database/write-context.ts';
import { idempotent, type WriteResult } from '../../requests/run-once.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import { sendCreated, sendJson } from '../responses/respond.ts';
import type { WriteCaller } from './authentication.ts';
import type { PathParameters } from './bind-path.ts';
import type { Call } from './register.ts';
import { registerWrite, type WriteEndpoint, type WriteServices } from './register-write.ts';
import { seal, unseal } from './seal.ts';

/** Writes in one transaction, once for each `Idempotency-Key`. */
export interface SealedWrite<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters,
  Caller extends WriteCaller,
  Permission extends string,
> extends Omit<WriteEndpoint<Definitions, Path, Caller, Permission>, 'alsoCompared' | 'handle'> {
  /** Resolves to the body of the response. */
  write: Verb<Pick<Call<Definitions, Path, Caller>, 'path' | 'input'>, object>;
}

/**
 * Registers an endpoint whose response may contain a secret. The `Idempotency-Key` is bound to the endpoint,
 * its parameters and the caller's own secret, which encrypts the stored response.
 */
export function registerSealedWrite<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters,
  Caller extends WriteCaller,
  Permission extends string,
>(
  app: FastifyInstance,
  services: WriteServices<Caller, Permission>,
  { write, ...endpoint }: SealedWrite<Definitions, Path, Caller, Permission>,
): void {
  const { authentication } = services;
  const send = endpoint.success.status === 201 ? sendCreated : sendJson;
  registerWrite<Definitions, Path, Caller, Permission>(app, services, {
    ...endpoint,
    alsoCompared: (call) => hashToken(authentication.secretOf(call, call.caller)).toString('base64url'),
    handle: async ({ request, reply, caller, path, input, runOnce }) => {
      const secret = authentication.secretOf({ request, reply }, caller);
      const sealed: Verb<Pick<Call<Definitions, Path, Caller>, 'path' | 'input'>, WriteResult> = async (
        context,
        call,
      ) => ({ response: seal(JSON.stringify(await write(context, call)), secret), isChange: true });
      const { response } = await runOnce(idempotent(sealed), { path, input }, {});
      await send(request, reply, unseal(response, secret));
    },
  });
}
