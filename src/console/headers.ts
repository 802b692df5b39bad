import { normalizeTarget, pathOf } from '../http/gate/request-target.ts';

const policy = {
  'default-src': "'self'",
  'script-src': "'self'",
  // Mantine writes style attributes and a style element, which never contain a merchant's text.
  'style-src': "'self' 'unsafe-inline'",
  // Products' images are on the merchants' hosts.
  'img-src': "'self' data: https:",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** The headers of every console response over HTTPS, whether page, data or error. */
export const consoleHeaders: ReadonlyMap<string, string> = new Map(
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

/** Whether a target belongs to the console, in any spelling. */
export function isConsoleTarget(target: string | undefined): boolean {
  const path = pathOf(normalizeTarget(target));
  return path === '/' || path === '/console' || path.startsWith('/console/');
}
