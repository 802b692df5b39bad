import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../../http/errors.ts';
import { type PageFile, readPages } from './files.ts';
import { securityHeaders } from './security-headers.ts';

/** Where `npm ci` builds the console. */
export const PAGES = join(import.meta.dirname, '../../../web/dist');

const FIRST_PAGE = 'index.html';

/**
 * The console's pages, below `/console`. Whatever is no file is an address inside the console, which its
 * first page knows how to show.
 */
export function pageRoutes(app: FastifyInstance, directory: string): void {
  const files: ReadonlyMap<string, PageFile> = existsSync(directory) ? readPages(directory) : new Map();
  const options = { config: { statuses: [200, 304, 400, 404, 503] } };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': path = '' } = request.params as { '*'?: string };
    const file = files.get(path) ?? (isAddress(path) ? files.get(FIRST_PAGE) : undefined);
    if (file !== undefined) return await send(request, reply, file);
    throw files.size === 0
      ? new HttpError(503, 'The console is not built: run "npm ci", or "npm run build", and start again.')
      : new HttpError(404, `There is nothing at ${request.url.split('?', 1)[0]}.`);
  };
  app.get('/console', options, answer);
  app.get('/console/*', options, answer);
  app.get('/', { config: { statuses: [308, 400, 503] } }, (_request, reply) =>
    reply.redirect('/console', 308),
  );
}

/** Not a part that is missing, and nothing of the console's API: a page in their place would only confuse. */
function isAddress(path: string): boolean {
  return !path.startsWith('assets/') && path !== 'api' && !path.startsWith('api/');
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, immutable }: PageFile,
): Promise<FastifyReply> {
  reply.headers({
    ...securityHeaders,
    etag: body.etag,
    vary: 'Accept-Encoding',
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-request-id': request.id,
  });
  if (request.headers['if-none-match'] === body.etag) return reply.code(304).send();
  const { encoding, bytes } = await body.formFor(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(bytes);
}
