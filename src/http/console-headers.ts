import type { IncomingMessage, ServerResponse } from 'node:http';
import { isConsolePath } from './console-path.ts';
import { pathOf } from './path-of.ts';

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
 * Puts on whatever the console answers, pages, data and errors alike, how careful a browser is to be with it.
 * For requests that came by HTTPS: the word of an answer in the clear on what is secure counts for nothing.
 */
export function protectConsole({ url }: IncomingMessage, response: ServerResponse): void {
  if (isConsolePath(pathOf(url))) response.setHeaders(securityHeaders);
}
