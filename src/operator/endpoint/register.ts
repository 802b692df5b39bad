import type { FastifyInstance } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { PathParameters } from '../../http/endpoint/bind-path.ts';
import type { KeyOrSession } from '../../http/endpoint/key-or-session.ts';
import {
  type Call,
  type Endpoint,
  type EndpointServices,
  registerEndpoint,
} from '../../http/endpoint/register.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';

/** The operator's back end with an operator key, or an operator with a session of the screen. */
export type OperatorCaller = KeyOrSession<OperatorScope>;
export type OperatorEndpointServices = EndpointServices<OperatorCaller, OperatorScope>;
export type OperatorCall<Definitions extends ParameterDefinitions, Path extends PathParameters> = Call<
  Definitions,
  Path,
  OperatorCaller
>;

export interface OperatorEndpoint<Definitions extends ParameterDefinitions, Path extends PathParameters>
  extends Endpoint<Definitions, Path, OperatorCaller, OperatorScope> {
  pathParameters: Path;
  scope: OperatorScope;
}

export function registerOperatorEndpoint<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters,
>(
  app: FastifyInstance,
  services: OperatorEndpointServices,
  endpoint: OperatorEndpoint<Definitions, Path>,
): void {
  registerEndpoint<Definitions, Path, OperatorCaller, OperatorScope>(app, services, endpoint);
}
