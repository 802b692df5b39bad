import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { hostOf } from '../http/gate/client-address.ts';
import { isNestedDeeper } from '../http/parameters/raw-parameters.ts';
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from '../http/request-limits.ts';
import type { Metrics } from '../observability/metrics.ts';
import { answerConsoleErrors, refusals } from './errors.ts';

type Settings = Pick<Config, 'publicUrl' | 'trustedProxies'>;

const TYPES = ['application/json', 'application/octet-stream'];

/**
 * For everything under /console/api: refuses what other origins' pages make a browser send, reads JSON,
 * keeps answers out of caches.
 */
export function consoleGuard(app: FastifyInstance, settings: Settings, metrics: Metrics): void {
  answerConsoleErrors(app, metrics);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    async (_request: FastifyRequest, body: string) => readObject(body),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method === 'GET' || request.method === 'HEAD') return;
    if (!isFromOwnPages(request, settings)) throw refusals.other_origin();
    const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    // A form of another origin can only send the types that are not among these.
    if (type !== undefined && !TYPES.includes(type)) throw refusals.wrong_content_type();
  });
}

/** The origin that the console is at for whoever sent this request. */
export function ownOrigin(request: FastifyRequest, { publicUrl, trustedProxies }: Settings): string {
  return publicUrl ?? `https://${hostOf(request, trustedProxies)}`;
}

/** By the browser's own word where it gives one; it is forbidden to pages, and no proxy changes it. */
function isFromOwnPages(request: FastifyRequest, settings: Settings): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === ownOrigin(request, settings);
}

function readObject(json: string): Record<string, unknown> {
  if (isNestedDeeper(json, MAX_JSON_DEPTH)) throw refusals.unreadable_json();
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    throw refusals.unreadable_json();
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw refusals.unreadable_json();
  return read as Record<string, unknown>;
}
