import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { isForConsole, protectConsole } from '../../console/headers.ts';
import { errors } from '../responses/errors.ts';
import { crossOriginHeaders } from '../responses/respond.ts';
import { arrivedByHttps } from './https.ts';
import { pathOf } from './path-of.ts';
import { hasDotSegment } from './request-target.ts';

const METHODS = ['GET', 'HEAD', 'POST'] as const;

/**
 * The refusals that come before anything of a request is read (contract, “Order of refusal”, 1 and 2):
 * not HTTPS, unknown path, unknown method. Answers CORS preflights of known paths.
 */
export function refuseUnroutable(
  app: FastifyInstance,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (!arrivedByHttps(request, trustedProxies)) return next(errors.https_required());
    const isConsole = isForConsole(request);
    if (isConsole) protectConsole(reply.raw);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return next(errors.malformed_request());
    }
    const path = pathOf(request.url);
    if (hasDotSegment(path)) return next(errors.not_found(path));
    if (!request.is404) return next();
    // Names of routes have no other letters, and the router takes some of those for its own syntax.
    const isName = /^[\w/.~-]+$/.test(path);
    const allowed = isName ? METHODS.filter((method) => app.hasRoute({ method, url: path })) : [];
    if (allowed.length === 0) return next(errors.not_found(path));
    const answersPreflight = !isConsole;
    const allow = [...allowed, ...(answersPreflight ? ['OPTIONS'] : [])].join(', ');
    if (request.method !== 'OPTIONS' || !answersPreflight)
      return next(errors.method_not_allowed(request.method, path, allow));
    reply.hijack();
    reply.raw.writeHead(204, {
      allow,
      ...crossOriginHeaders,
      'access-control-allow-methods': allow,
      'access-control-allow-headers':
        'Content-Type, Idempotency-Key, If-None-Match, X-ERP-Name, X-Request-Id',
      'access-control-max-age': '86400',
      'x-request-id': request.id,
    });
    reply.raw.end();
  });
}
