import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core';

/** Ignored by git. */
export const SCREENSHOTS = join(import.meta.dirname, '../../../web/screenshots');

const TIMEOUT_MS = 15_000;
/** The page itself aborted the request, or the response became a download. */
const ABORTED = 'net::ERR_ABORTED';

const WATCHED = ['weberror', 'console', 'request', 'requestfailed', 'response'] as const;

const FOCUSED = `(() => {
  const { activeElement: on } = document;
  return on === document.body ? '' : (on.labels?.[0]?.textContent ?? on.ariaLabel ?? on.textContent);
})()`;

/**
 * A user's window. An unexpected problem in it fails the test: an exception, an error in the browser's
 * console (also a violation of the content security policy), a failed request, or a request to another
 * origin.
 */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly origin: string;
  /** The path of the application: the console, or the operator's screen. */
  readonly #base: string;
  readonly #problems: string[] = [];
  readonly #expected: { pattern: RegExp; met: boolean }[] = [];

  constructor(context: BrowserContext, page: Page, { origin, base }: { origin: string; base: string }) {
    this.context = context;
    this.page = page;
    this.origin = origin;
    this.#base = base;
    context.setDefaultTimeout(TIMEOUT_MS);
    context.on('weberror', (error) => this.#report(`exception: ${error.error().message}`));
    context.on('console', (message) => this.#onConsole(message));
    context.on('request', (request) => this.#onRequest(request));
    context.on('requestfailed', (request) => this.#onRequestFailed(request));
    context.on('response', (response) => {
      const { method, url } = { method: response.request().method(), url: response.url() };
      if (response.status() >= 400) this.#report(`${response.status()} for ${method} ${url}`);
    });
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${this.#base}${path}`);
    // The prerendered page is visible, but inert until the application has started.
    await this.page.locator('#root > [inert]').waitFor({ state: 'detached' });
  }

  /** Waits for the page's title, its level-one heading. */
  async sees(heading: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }

  async upload(name: string, content: string): Promise<void> {
    const chosen = this.page.waitForEvent('filechooser');
    await this.press('Choose file');
    await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  async follow(link: string): Promise<void> {
    await this.page.getByRole('link', { name: link, exact: true }).click();
  }

  /** With or without the asterisk of a required field. */
  field(label: string): Locator {
    return this.page.getByLabel(new RegExp(`^${RegExp.escape(label)}( \\*)?$`));
  }

  /** Waits for text that is visible anywhere on the page. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.field('Email').fill(email);
    await this.field('Password').fill(password);
    await this.press('Sign in');
  }

  /** The text or label of the focused element; empty if there is none. */
  focused(): Promise<string> {
    return this.page.evaluate(FOCUSED);
  }

  get address(): string {
    return this.page.url().replace(`${this.origin}${this.#base}`, '');
  }

  /** Requests to this path may then fail with this status, or null for no response. One must. */
  expectFailure(status: number | null, path: string): void {
    const failure = status ?? 'net::\\S+';
    this.expectProblem(new RegExp(`^${failure} for \\w+ https://[^/]+${RegExp.escape(path)}(\\?|$)`));
  }

  /** Like `expectFailure`, for any problem. */
  expectProblem(pattern: RegExp): void {
    this.#expected.push({ pattern, met: false });
  }

  /** Returns and clears the problems. */
  problems(): string[] {
    return this.#problems.splice(0);
  }

  /**
   * Closes the window's pages.
   * @throws if there was an unexpected problem, or an expected one did not occur
   */
  async leave(t: TestContext): Promise<void> {
    if (t.error !== null) await this.#describeFailure(t, t.error);
    await this.context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const page of this.context.pages()) await page.close();
    for (const event of WATCHED) this.context.removeAllListeners(event);
    assert.deepEqual(this.problems(), [], 'problems in the browser');
    const missing = this.#expected.filter(({ met }) => !met).map(({ pattern }) => pattern);
    if (t.error === null) assert.deepEqual(missing, [], 'expected problems that did not occur');
  }

  /** Adds to the error, the only one that is reported, what a person at the window would have seen. */
  async #describeFailure(t: TestContext, { cause }: Error): Promise<void> {
    await this.#takeScreenshot(t);
    if (!(cause instanceof Error)) return;
    const text = await this.page.locator('body').innerText();
    cause.stack += `\nThe problems in ${this.page.url()}: ${this.#problems.join('; ') || 'none'}. Its text:\n${text}`;
  }

  #report(problem: string): void {
    const expected = this.#expected.filter(({ pattern }) => pattern.test(problem));
    for (const one of expected) one.met = true;
    if (expected.length === 0) this.#problems.push(problem);
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    // Failed requests are reported separately.
    if (message.text().startsWith('Failed to load resource:') && message.location().url !== '') return;
    this.#report(`console: ${message.text()}`);
  }

  #onRequest(request: Request): void {
    const url = new URL(request.url());
    if (['data:', 'blob:'].includes(url.protocol) || url.origin === this.origin) return;
    this.#report(`request to another origin: ${request.url()}`);
  }

  #onRequestFailed(request: Request): void {
    const reason = request.failure()?.errorText;
    if (reason !== ABORTED) this.#report(`${reason} for ${request.method()} ${request.url()}`);
  }

  async #takeScreenshot({ name }: TestContext): Promise<void> {
    const path = join(SCREENSHOTS, 'failed', `${name.replaceAll(/\W+/g, '-')}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
  }
}
