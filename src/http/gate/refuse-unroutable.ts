import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../../errors/domain-error.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { crossOriginHeaders, writeHead } from '../responses/respond.ts';
import { hasDotSegment, pathOf } from './request-target.ts';
import { type EndpointRoute, suggestPath } from './suggest-path.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

/** A route whose path has parameters, which Fastify finds only by its pattern. */
interface PatternRoute {
  methods: readonly string[];
  pattern: RegExp;
}

/**
 * Refuses requests before their parameters are read: unknown paths, methods that a path does not allow
 * (contract, “Order of refusal”, 2), HTTP/1.1 without Host, and paths with a `.` or `..` segment or an empty
 * parameter. Answers CORS preflights of the API. Call it before the routes are registered.
 */
export function refuseUnroutable(app: FastifyInstance): void {
  const patternRoutes: PatternRoute[] = [];
  const endpointRoutes: EndpointRoute[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.endpoint !== undefined) endpointRoutes.push({ url, endpoint: config.endpoint });
    if (!url.includes(':')) return;
    // Other characters of routes have no meaning in regular expressions, except the dot.
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    patternRoutes.push({ methods: [method].flat(), pattern });
  });
  app.addHook('onRequest', (request, reply, next) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return next(requestErrors.malformed_request());
    }
    if (hasDotSegment(pathOf(request.url))) return next(requestErrors.not_found(pathOf(request.url)));
    if (hasEmptyParameter(request)) return next(requestErrors.not_found(pathOf(request.url)));
    if (!request.is404) return next();
    const error = respondWithoutRoute(app, request, reply, { patternRoutes, endpointRoutes });
    if (error !== undefined) next(error);
  });
}

/** The rest of a path, `*`, can be empty. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');
}

/** Answers a preflight; returns the error for anything else. */
function respondWithoutRoute(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    patternRoutes,
    endpointRoutes,
  }: { patternRoutes: readonly PatternRoute[]; endpointRoutes: readonly EndpointRoute[] },
): DomainError | undefined {
  const path = pathOf(request.url);
  // No route has other characters, and the router would interpret some of them as its own syntax.
  const hasOnlyPlainCharacters = /^[\w/.~-]+$/.test(path);
  const matching = patternRoutes.filter(({ pattern }) => pattern.test(path));
  const allowed = METHODS.filter(
    (method) =>
      (hasOnlyPlainCharacters && app.hasRoute({ method, url: path })) ||
      matching.some(({ methods }) => methods.includes(method)),
  );
  const allowsPreflight = !contextOf(request.raw).isConsole;
  if (allowed.length === 0)
    return requestErrors.not_found(path, allowsPreflight ? suggestPath(path, endpointRoutes) : '');
  const withPreflight = [...allowed, ...(allowsPreflight ? ['OPTIONS'] : [])];
  const allow = withPreflight.join(', ');
  if (request.method !== 'OPTIONS' || !allowsPreflight) {
    reply.raw.setHeader('allow', allow);
    return requestErrors.method_not_allowed(request.method, path, withPreflight);
  }
  reply.hijack();
  const headers = {
    allow,
    ...crossOriginHeaders,
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Tradepost-Fields, Tradepost-Problems, ' +
      'Tradepost-Simulate, X-ERP-Name, X-Request-Id',
    'access-control-max-age': '86400',
  };
  writeHead(request.raw, reply.raw, 204, Object.entries(headers).flat()).end();
  return undefined;
}
