import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Verb } from '../../database/write-context.ts';
import {
  type IdempotencyNeeds,
  type IdempotencyServices,
  type KeyedRequest,
  keyedRequest,
  runOnce,
  type WriteResult,
} from '../../requests/run-once.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { WriteCaller } from './authentication.ts';
import type { PathParameters } from './bind-path.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from './idempotency.ts';
import type { MerchantCaller } from './merchant-authentication.ts';
import { type Call, type Endpoint, type EndpointServices, registerEndpoint } from './register.ts';

export interface WriteServices<Caller extends WriteCaller = MerchantCaller, Permission extends string = Scope>
  extends EndpointServices<Caller, Permission>,
    IdempotencyServices {}

export interface WriteCall<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters = PathParameters,
  Caller extends WriteCaller = MerchantCaller,
> extends Call<Definitions, Path, Caller> {
  /** Null without an `Idempotency-Key`. */
  keyed: KeyedRequest | null;
  /** Runs a verb of `idempotent` in a transaction: see `runOnce` in `requests/run-once.ts`. */
  runOnce<Input, Needs>(
    verb: Verb<Input, WriteResult, Needs & IdempotencyNeeds>,
    input: NoInfer<Input>,
    needs: NoInfer<Needs>,
  ): Promise<WriteResult>;
}

export interface WriteEndpoint<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters = PathParameters,
  Caller extends WriteCaller = MerchantCaller,
  Permission extends string = Scope,
> extends Omit<Endpoint<Definitions, Path, Caller, Permission>, 'method' | 'handle'> {
  /** POST by default. */
  method?: 'POST' | 'DELETE';
  /** Set if the transaction locks the merchant first: see `runOnce`. */
  locksMerchant?: boolean;
  /** Set if a call with a test key also uses rows of the live side. */
  usesLiveSide?: boolean;
  /** What else must be the same in a repetition, apart from path, parameters and lines. */
  alsoCompared?: (call: Call<Definitions, Path, Caller>) => string | undefined;
  handle(call: WriteCall<Definitions, Path, Caller>): Promise<void>;
}

/** Registers an endpoint that writes once for each `Idempotency-Key` with its parameters or lines. */
export function registerWrite<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters = PathParameters,
  Caller extends WriteCaller = MerchantCaller,
  Permission extends string = Scope,
>(
  app: FastifyInstance,
  services: WriteServices<Caller, Permission>,
  {
    method = 'POST',
    locksMerchant = false,
    usesLiveSide = false,
    alsoCompared,
    handle,
    ...endpoint
  }: WriteEndpoint<Definitions, Path, Caller, Permission>,
): void {
  registerEndpoint<Definitions, Path, Caller, Permission>(app, services, {
    ...endpoint,
    method,
    headers: { 'Idempotency-Key': idempotencyKeyHeader, ...endpoint.headers },
    handle: async (call) => {
      const { request, caller, path, input, lines } = call;
      const texts = lines.map(({ text }) => text);
      const idempotentRequest = {
        merchantId: caller.merchantId,
        who: caller.who,
        key: idempotencyKeyOf(request),
        endpoint: `${method} ${endpoint.path}`,
        input: [path, input, texts, alsoCompared?.(call)],
        locksMerchant,
        usesLiveSide,
      };
      await handle({
        ...call,
        keyed: keyedRequest(idempotentRequest),
        runOnce: (verb, input, needs) => runOnce(services, idempotentRequest, verb, input, needs),
      });
    },
  });
}
