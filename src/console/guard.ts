import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { hostOf } from '../http/gate/client-address.ts';
import { isNestedDeeper } from '../http/parameters/raw-parameters.ts';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from '../http/request-limits.ts';
import { consoleErrors } from './errors.ts';

type OriginSettings = Pick<Config, 'publicUrl' | 'trustedProxies'>;

const TYPES = ['application/json', 'application/octet-stream'];

/** Rejects changes from other origins, disables caching, and parses JSON (except in `signedInEndpoints`). */
export function consoleGuard(app: FastifyInstance, settings: OriginSettings): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: string) => readObject(body),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    requireOwnPages(request, settings);
  });
}

/**
 * Checks that a request which may change data comes from the console's own pages. Browsers send the session's
 * cookie with requests of any page.
 * @throws {DomainError} `other_origin`, `wrong_content_type`
 */
export function requireOwnPages(request: FastifyRequest, settings: OriginSettings): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (!isFromOwnPages(request, settings)) throw consoleErrors.other_origin();
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // Forms of other origins cannot send these types.
  if (type !== undefined && !TYPES.includes(type)) throw consoleErrors.wrong_content_type();
}

/** The console's origin as the request's client sees it. */
export function ownOrigin(request: FastifyRequest, { publicUrl, trustedProxies }: OriginSettings): string {
  return publicUrl ?? `https://${hostOf(request, trustedProxies)}`;
}

/** Trusts `Sec-Fetch-Site` if it is sent: pages cannot set it, and proxies do not change it. */
function isFromOwnPages(request: FastifyRequest, settings: OriginSettings): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === ownOrigin(request, settings);
}

function readObject(json: string): Record<string, unknown> {
  if (isNestedDeeper(json, MAX_JSON_DEPTH)) throw consoleErrors.unreadable_json();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw consoleErrors.unreadable_json();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw consoleErrors.unreadable_json();
  return value as Record<string, unknown>;
}
