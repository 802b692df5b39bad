import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf } from '../http/gate/path-of.ts';
import { normalizeTarget } from '../http/gate/request-target.ts';
import { isConsolePath } from './path.ts';

const policy = {
  'default-src': "'self'",
  'script-src': "'self'",
  // Mantine writes style attributes and a style element; no text of a merchant's is ever among them.
  'style-src': "'self' 'unsafe-inline'",
  // Products name their images by address, at any shop.
  'img-src': "'self' data: https:",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

const securityHeaders = new Map(
  Object.entries({
    'content-security-policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'strict-transport-security': 'max-age=31536000',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }),
);

/**
 * Puts the security headers on an answer of the console, whether page, data or error. For requests that came by
 * HTTPS: browsers ignore `Strict-Transport-Security` from plain HTTP.
 */
export function protectConsole(response: ServerResponse): void {
  response.setHeaders(securityHeaders);
}

/** The same headers for an answer that is written by hand. */
export const consoleHeaders: Readonly<Record<string, string>> = Object.fromEntries(securityHeaders);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on every route of the console, which other origins may neither read nor frame. */
    isConsole?: true;
  }
}

/** Makes every route that is registered in this scope from now on one of the console. */
export function markConsoleRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, isConsole: true };
  });
}

/** Whether a request is for the console: by the route that it matched, or by its address if it matched none. */
export function isForConsole(request: FastifyRequest): boolean {
  const { config } = request.routeOptions;
  return config.isConsole === true || (request.is404 && isConsoleTarget(request.raw.url));
}

/** Whether a request target, in any spelling, is an address of the console. For requests without a route. */
export function isConsoleTarget(target: string | undefined): boolean {
  return isConsolePath(pathOf(normalizeTarget(target)));
}
