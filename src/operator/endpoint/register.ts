import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { Caller } from '../../api-keys/verify-token.ts';
import { authenticate } from '../../http/endpoint/authenticate.ts';
import { type EndpointDeclaration, type PathParameter, statusesOf } from '../../http/endpoint/declaration.ts';
import { acceptLargePostData } from '../../http/endpoint/large-post-data.ts';
import { admitCaller, type EndpointServices } from '../../http/endpoint/register.ts';
import { merchantQueue, queuedRequest } from '../../http/gate/request-queue.ts';
import {
  type BoundParameters,
  bindWithoutToken,
  type ParameterDefinitions,
} from '../../http/parameters/bind.ts';
import { readBody, typeOfBody } from '../../http/parameters/body.ts';
import { discardBody } from '../../http/parameters/incoming-file.ts';
import { isUtf8 } from '../../http/parameters/multipart.ts';
import { mergeParameters, type RawParameters, textValue } from '../../http/parameters/raw-parameters.ts';
import { bearerToken, readQuery } from '../../http/parameters/read.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';

export type OperatorEndpointServices = EndpointServices<OperatorScope>;

type PathParameters = Readonly<Record<string, PathParameter>>;
type BoundPath<Path extends PathParameters> = {
  [Name in keyof Path]: Path[Name] extends PathParameter<infer T> ? T : never;
};

export interface OperatorCall<Definitions extends ParameterDefinitions, Path extends PathParameters> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller<OperatorScope>;
  token: string;
  path: BoundPath<Path>;
  input: BoundParameters<Definitions>;
}

export interface OperatorEndpoint<Definitions extends ParameterDefinitions, Path extends PathParameters>
  extends Omit<EndpointDeclaration<Definitions>, 'alias' | 'lines' | 'file'> {
  pathParameters: Path;
  scope: OperatorScope;
  handle(call: OperatorCall<Definitions, Path>): Promise<void>;
}

/**
 * The token is in the `Authorization` header alone. Parameters are in the query or, for PUT and POST, in a
 * JSON object. Checks run in the order of v1: post data, token, rate limit, scope, unrecognized, invalid
 * parameters.
 */
export function registerOperatorEndpoint<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters,
>(
  app: FastifyInstance,
  services: OperatorEndpointServices,
  endpoint: OperatorEndpoint<Definitions, Path>,
): void {
  const { method, path, pathParameters, parameters, bodyLimit, scope, stream, handle } = endpoint;
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (stream !== undefined) requireNdjson(request);
    const posted = await readJson(request);
    const { token, caller } = await admitOperator(services, request, scope);
    const query = mergeParameters(readQuery(request.raw.url));
    const inBody = method === 'PUT' || method === 'POST';
    // The other place must have no parameters.
    bindWithoutToken({}, inBody ? query : posted);
    const input = bindWithoutToken(parameters, inBody ? posted : query);
    await handle({ request, reply, token, caller, path: bindPath(pathParameters, request), input });
  };
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { statuses: statusesOf(endpoint), endpoint },
    ...acceptLargePostData(services.bodyMemory, bodyLimit, (request) => findOperatorQueue(services, request)),
    handler: (request, reply) =>
      services.overloadControl
        .run(() => respond(request, reply), queuedRequest(services, request.raw))
        .finally(() => discardBody(request)),
  });
}

/** Runs before the post data is read. @throws {DomainError} as `authenticate` */
async function findOperatorQueue(
  services: OperatorEndpointServices,
  request: FastifyRequest,
): Promise<string> {
  const { caller } = await services.overloadControl.run(
    () => authenticateOperator(services, request),
    queuedRequest(services, request.raw),
  );
  return merchantQueue(caller.merchantId);
}

/** @throws {DomainError} `operator_token_missing`, `token_refused`, `authentication_limited` */
async function authenticateOperator(
  services: OperatorEndpointServices,
  request: FastifyRequest,
): Promise<{ token: string; caller: Caller<OperatorScope> }> {
  const bearer = bearerToken(request.headers.authorization);
  const sent = bearer === undefined ? [] : [{ kind: 'text', text: bearer } as const];
  return await authenticate(services, request, sent, requestErrors.operator_token_missing);
}

/**
 * Authenticates a request, counts it, and checks its scope.
 * @throws {DomainError} `operator_token_missing`, `token_refused`, `authentication_limited`, `rate_limited`,
 *   `scope_missing`
 */
async function admitOperator(
  services: OperatorEndpointServices,
  request: FastifyRequest,
  scope: OperatorScope,
): Promise<{ token: string; caller: Caller<OperatorScope> }> {
  const { token, caller } = await authenticateOperator(services, request);
  await admitCaller(services, request.raw, caller, scope);
  services.unreadBytes.requireRemaining(caller.merchantId);
  return { token, caller };
}

/** @throws {DomainError} `unreadable_body` unless the body is a stream of NDJSON */
function requireNdjson(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  if (!(request.body instanceof Readable) || !/^application\/x-ndjson\s*(;|$)/i.test(type.trim()))
    throw requestErrors.unreadable_body('its Content-Type must be application/x-ndjson');
  if (!isUtf8(type)) throw requestErrors.unreadable_body('its charset must be UTF-8');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw requestErrors.unreadable_body('it has a Content-Encoding other than gzip');
}

/** Reads a JSON object, which may be missing. @throws {DomainError} `unreadable_body` */
async function readJson(request: FastifyRequest): Promise<RawParameters> {
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0 && typeOfBody(request) !== 'application/json')
    throw requestErrors.unreadable_body('its Content-Type must be application/json');
  return mergeParameters(await readBody(request));
}

/** Reads the parameters in a path. @throws {DomainError} `invalid_parameters` */
function bindPath<Path extends PathParameters>(path: Path, request: FastifyRequest): BoundPath<Path> {
  const segments = Object.entries(request.params as Record<string, string>);
  const definitions = Object.fromEntries(
    Object.entries(path).map(([name, { type }]) => [name, { type, required: true as const }]),
  );
  const sent = mergeParameters(segments.map(([name, text]) => textValue(name, text, 'text')));
  return bindWithoutToken(definitions, sent) as BoundPath<Path>;
}
