import type { FastifyInstance } from 'fastify';
import { normalizeTarget, pathOf } from '../http/gate/request-target.ts';
import { encodeFor } from '../http/responses/negotiate-encoding.ts';
import { ERRORS_PATH } from '../http/responses/send-error.ts';
import { type ApiError, apiErrors } from '../http/responses/statuses.ts';
import { RenderedJson } from '../shared/rendered-json.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  vary: 'Accept-Encoding',
};

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
h2{font:600 1.1rem ui-monospace,monospace;margin:2rem 0 0}
:target{background:#ffec9980;scroll-margin-top:1rem}
p{margin:.25rem 0}`;

/**
 * Serves the page that every error's `Link` header leads to, with an anchor for each error's name. It needs
 * no token, because it contains no merchant's data.
 */
export function errorPageRoute(app: FastifyInstance): void {
  const page = new RenderedJson(Buffer.from(renderPage()));
  app.route({
    method: ['GET', 'HEAD'],
    url: ERRORS_PATH,
    config: { statuses: [200, 304, 400, 500, 503] },
    handler: async (request, reply) => {
      reply.headers({ ...HEADERS, etag: page.etag });
      if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
      const { encoding, bytes } = await encodeFor(page, request.headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(bytes);
    },
  });
}

/** Whether a target is the page, in any spelling. */
export function isErrorPageTarget(target: string | undefined): boolean {
  return pathOf(normalizeTarget(target)) === ERRORS_PATH;
}

function renderPage(): string {
  const sections = [...apiErrors].map(([name, error]) => section(name, error));
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Errors – Tradepost API</title><style>${STYLE}</style>
<h1>Errors</h1>
<p>The header <code>Tradepost-Error</code> of an error response has one of these names. The message of the response says
what was wrong with the request.</p>
${sections.join('\n')}
</html>
`;
}

function section(name: string, { statuses, cause, remedy }: ApiError): string {
  const advice = remedy === '' ? '' : `<p><strong>What to do:</strong> ${html(remedy)}.</p>`;
  return `<section id="${name}"><h2>${name}</h2>
<p>Status ${statuses.join(' or ')}: ${html(cause)}.</p>${advice}</section>`;
}

/** Renders the Markdown of one cell: code, and links without their targets, which are other pages. */
function html(markdown: string): string {
  return markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
