import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Brand } from '../../brand/brand.ts';
import { pathOf } from '../../http/gate/request-target.ts';
import { accepts, encodeFor } from '../../http/responses/negotiate-encoding.ts';
import type { MarketplaceName } from '../../operators/marketplace-name.ts';
import { consoleRealm } from '../auth/console-realm.ts';
import type { Realm } from '../auth/realm.ts';
import { consoleErrors } from '../errors.ts';
import { hasSessionCookie } from '../sessions/current-session.ts';
import { BrandedFiles } from './branded-files.ts';
import { type PageFile, type PageFiles, readPages } from './files.ts';

/** What pages are called, and how they look. */
export interface PageBrand {
  brand: Brand;
  marketplaceName: MarketplaceName;
}

/** A single-page application. */
interface Pages extends PageBrand {
  files: PageFiles;
  /** The path of its first page; the others are below it. */
  base: `/${string}`;
  /** The routes of its files and pages. */
  routes: readonly string[];
  realm: Pick<Realm, 'cookiePrefix' | 'visitors'>;
  /** Whether the pages have the color of the brand. */
  isColored: boolean;
}

/** Registers the pages of the console, to which `/` leads. */
export function consolePages(app: FastifyInstance, pageBrand: PageBrand, files = readPages('console')): void {
  pageEndpoints(app, {
    ...pageBrand,
    files,
    isColored: true,
    base: '/console',
    routes: ['/console', '/console/*'],
    realm: consoleRealm,
  });
  app.get('/', { config: { statuses: [308, 400, 503] } }, (_request, reply) =>
    reply.redirect('/console', 308),
  );
}

/**
 * Registers the files and pages of an application. They need no session. A path that is not a file is a page.
 * The build prerenders many pages, which are shown until the script runs.
 */
export function pageEndpoints(app: FastifyInstance, pages: Pages): void {
  const { files: built, base, routes, realm, marketplaceName } = pages;
  const branded = new BrandedFiles(built, pages);
  const options = { config: { statuses: [200, 304, 400, 404, 503] } };
  for (const route of routes) {
    app.get(route, options, async (request, reply): Promise<FastifyReply> => {
      const path = pathOf(request.url).slice(base.length + 1);
      const files = branded.get(await marketplaceName.read());
      const file =
        files.get(path) ??
        (isPage(path) ? renderedPage(files, path, hasSessionCookie(realm, request)) : undefined);
      if (file !== undefined) return await send(request, reply, file);
      throw files.size === 0
        ? consoleErrors.not_built()
        : consoleErrors.missing(`There is nothing at ${pathOf(request.url)}.`);
    });
  }
}

/** Whether a path that is not a file is a page: neither a missing asset nor an unknown path of the API. */
function isPage(path: string): boolean {
  return !path.startsWith('assets/') && path !== 'api' && !path.startsWith('api/');
}

/** The prerendered page, else `index.html`; without a session cookie, the sign-in page. */
function renderedPage(files: PageFiles, path: string, hasSession: boolean): PageFile | undefined {
  const rendered = files.get(`pages/${path === '' ? 'overview' : path}.html`);
  if (rendered === undefined) return files.get('index.html');
  return hasSession ? rendered : files.get('pages/sign-in.html');
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, brotli, immutable, headers }: PageFile,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'];
  reply.headers({
    etag: body.etag,
    vary: immutable ? 'Accept-Encoding' : 'Accept-Encoding, Cookie',
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...headers,
  });
  if (request.headers['if-none-match'] === body.etag) return reply.code(304).send();
  const { encoding, bytes } =
    brotli !== undefined && accepts(accepted, 'br')
      ? { encoding: 'br', bytes: brotli }
      : await encodeFor(body, accepted);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(bytes);
}
