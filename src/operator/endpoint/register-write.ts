import type { FastifyInstance } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { PathParameters } from '../../http/endpoint/bind-path.ts';
import { registerSealedWrite, type SealedWrite } from '../../http/endpoint/register-sealed-write.ts';
import type { WriteServices } from '../../http/endpoint/register-write.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';
import type { OperatorCaller } from './register.ts';

export type OperatorWriteServices = WriteServices<OperatorCaller, OperatorScope>;

/** The context's merchant is `OPERATOR_ID`. */
export interface OperatorWrite<Definitions extends ParameterDefinitions, Path extends PathParameters>
  extends SealedWrite<Definitions, Path, OperatorCaller, OperatorScope> {
  pathParameters: Path;
  scope: OperatorScope;
}

/** Every response of the operator API is stored encrypted: see `registerSealedWrite`. */
export function registerOperatorWrite<Definitions extends ParameterDefinitions, Path extends PathParameters>(
  app: FastifyInstance,
  services: OperatorWriteServices,
  endpoint: OperatorWrite<Definitions, Path>,
): void {
  registerSealedWrite(app, services, endpoint);
}
