import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, type TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { ConsoleClient } from './console.ts';
import { findBrowser, flags } from './find-browser.ts';
import type { TestService } from './service.ts';
import { Visitor } from './visitor.ts';

const executable = findBrowser();
const skip = executable === undefined && 'no Chromium: none in PATH, and CHROMIUM names none';

/** Tests that need a browser, two at a time; skipped, with the reason, where there is none. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(name, { skip, concurrency: 2 }, tests);
}

export interface VisitorOptions {
  /** Whose session the visitor has; nobody's unless given. */
  as?: ConsoleClient;
  /** Further settings of the context, such as the size of the screen. */
  context?: BrowserContextOptions;
}

/** Opens a browser's window on a service, with nothing kept from others, until the test ends. */
export type OpenVisitor = (t: TestContext, options?: VisitorOptions) => Promise<Visitor>;

/** A browser for all tests of the suite that this is called in, after the service that it trusts. */
export function useBrowser(service: () => TestService): OpenVisitor {
  let browser: Browser | undefined;
  before(async () => {
    await loadSignIn(service());
    browser = await launch(service());
  });
  after(() => browser?.close());
  return async (t, { as, context: settings } = {}) => {
    assert(browser !== undefined, 'the browser runs only while the suite does');
    const { origin } = new URL(service().baseUrl);
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...settings,
    });
    if (as !== undefined) await context.addCookies(cookiesOf(as, origin));
    const visitor = new Visitor(context, await context.newPage(), origin);
    t.after(() => visitor.leave(t));
    return visitor;
  };
}

/**
 * The first to sign in has the service load what that takes. On a busy machine this holds all else up for so
 * long that it is turned away.
 */
async function loadSignIn({ client }: TestService): Promise<void> {
  const nobody = { email: 'nobody@example.com', password: 'none' };
  await new ConsoleClient(client).post('/auth/sign-in/email', nobody);
}

async function launch({ config }: TestService): Promise<Browser> {
  assert(executable !== undefined, 'there is no browser');
  const certificate = await readFile(join(config.dataDirectory, 'tls-cert.pem'));
  return await chromium.launch({
    executablePath: executable,
    args: [
      // Of all certificates that no authority has signed, the service's own alone.
      `--ignore-certificate-errors-spki-list=${fingerprint(certificate)}`,
      '--disable-quic',
      ...flags,
    ],
  });
}

/** Of the public key, as browsers pin it. */
function fingerprint(certificate: Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

function cookiesOf({ cookies }: ConsoleClient, origin: string) {
  return [...cookies].map(([name, value]) => ({
    name,
    value,
    url: origin,
    secure: true,
    httpOnly: true,
    sameSite: 'Lax' as const,
  }));
}
