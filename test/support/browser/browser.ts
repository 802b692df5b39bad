import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, type TestContext } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { Config } from '../../../src/config.ts';
import type { Client } from '../client.ts';
import { ConsoleClient } from '../console.ts';
import { findBrowser, flags } from './find-browser.ts';
import { Visitor } from './visitor.ts';

const executable = findBrowser();
const skip = executable === undefined && 'needs Chromium in PATH, or its path in CHROMIUM';

/** Runs tests two at a time. Skips them, with the reason, without a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(name, { skip, concurrency: 2 }, tests);
}

export interface BrowsedService {
  client: Client;
  baseUrl: string;
  config: Pick<Config, 'dataDirectory' | 'publicUrl'>;
}

export interface VisitorOptions {
  /** The client whose session the visitor uses. By default, the visitor is signed out. */
  as?: ConsoleClient;
  context?: BrowserContextOptions;
  /** The path of the application; the console by default. */
  base?: '/console' | '/operator';
}

/** Opens an isolated window, which closes when the test ends. */
export type OpenVisitor = (t: TestContext, options?: VisitorOptions) => Promise<Visitor>;

/**
 * Starts a browser for the calling suite. Call it after `useService`: the browser trusts that service.
 * `atPublicUrl`: visitors open the service at its public URL, whose name the browser resolves to it.
 */
export function useBrowser(service: () => BrowsedService, { atPublicUrl = false } = {}): OpenVisitor {
  let browser: Browser | undefined;
  /** Of visitors who have left. With files in the cache, the first page takes less than half the time. */
  const left: BrowserContext[] = [];
  before(async () => {
    await warmUpSignIn(service());
    browser = await launch(service());
  });
  after(() => browser?.close());
  return async (t, { as, context: settings, base = '/console' } = {}) => {
    assert(browser !== undefined, 'the browser runs only while the suite runs');
    const { baseUrl, config } = service();
    const { origin } = new URL(atPublicUrl ? (config.publicUrl ?? baseUrl) : baseUrl);
    const context =
      (settings === undefined ? left.pop() : undefined) ??
      (await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        // Nothing has to wait for an animation.
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...settings,
      }));
    const page = await context.newPage();
    await forget(page, origin);
    if (as !== undefined) await context.addCookies(cookiesOf(as, origin));
    const visitor = new Visitor(context, page, { origin, base });
    t.after(async () => {
      await visitor.leave(t);
      if (settings === undefined) left.push(context);
      else await context.close();
    });
    return visitor;
  };
}

/** Deletes what an earlier visitor left, except cached files. */
async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await context.clearCookies();
}

/** On a busy machine, loading authentication modules during a test can get other requests rejected. */
async function warmUpSignIn({ client }: BrowsedService): Promise<void> {
  const unknown = { email: 'nobody@example.com', password: 'none' };
  await new ConsoleClient(client).post('/auth/sign-in/email', unknown);
}

async function launch({ config, baseUrl }: BrowsedService): Promise<Browser> {
  assert(executable !== undefined, 'Chromium was not found');
  const certificate = await readFile(join(config.dataDirectory, 'tls-cert.pem'));
  return await chromium.launch({
    executablePath: executable,
    args: [
      // Accepts only the service's own self-signed certificate.
      `--ignore-certificate-errors-spki-list=${fingerprint(certificate)}`,
      '--disable-quic',
      // With fewer threads, pages take a sixth less of the CPU time.
      '--js-flags=--single-threaded',
      '--num-raster-threads=1',
      ...(config.publicUrl === null
        ? []
        : [`--host-resolver-rules=${publicName(config.publicUrl, baseUrl)}`]),
      ...flags,
    ],
  });
}

/** A rule for the browser: the name of the public URL leads to the service. */
function publicName(publicUrl: string, baseUrl: string): string {
  return `MAP ${new URL(publicUrl).hostname} ${new URL(baseUrl).host}`;
}

/** The fingerprint as browsers pin it. */
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
