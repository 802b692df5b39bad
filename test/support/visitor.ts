import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core';

/** Where pictures of pages go; git ignores it. */
export const SCREENSHOTS = join(import.meta.dirname, '../../web/screenshots');

const PATIENCE_MS = 15_000;
/** The page itself gave the request up, or took the answer as a file to be kept. */
const GIVEN_UP = 'net::ERR_ABORTED';

const FOCUSED = `(() => {
  const { activeElement: on } = document;
  return on === document.body ? '' : (on.labels?.[0]?.textContent ?? on.ariaLabel ?? on.textContent);
})()`;

/**
 * Somebody in front of a browser's window. Whatever goes wrong in it unexpected fails the test: an exception
 * or error in the console, which is also where the content security policy's violations are told; a request
 * that fails; one that leaves the service.
 */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly origin: string;
  readonly #problems: string[] = [];
  readonly #expected: { pattern: RegExp; met: boolean }[] = [];

  constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.origin = origin;
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('weberror', (error) => this.#tell(`exception: ${error.error().message}`));
    context.on('console', (message) => this.#hear(message));
    context.on('request', (request) => this.#watch(request));
    context.on('requestfailed', (request) => this.#failed(request));
    context.on('response', (response) => {
      const { method, url } = { method: response.request().method(), url: response.url() };
      if (response.status() >= 400) this.#tell(`${response.status()} for ${method} ${url}`);
    });
  }

  /** Opens an address of the console, `/` being its first page. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/console${path}`);
    // What the build drew of the page can be seen, but not used.
    await this.page.locator('#root > [inert]').waitFor({ state: 'detached' });
  }

  /** The page's title, which each has a level-one heading for. */
  async sees(heading: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  async follow(link: string): Promise<void> {
    await this.page.getByRole('link', { name: link, exact: true }).click();
  }

  /** The input with this label, with or without a sign that it is needed. */
  field(label: string): Locator {
    return this.page.getByLabel(new RegExp(`^${RegExp.escape(label)}( \\*)?$`));
  }

  /** Waits for words that stand somewhere on the page. */
  async reads(words: string | RegExp): Promise<void> {
    await this.page.getByText(words).first().waitFor();
  }

  /** Fills in the form of the sign-in page, and sends it. */
  async signIn(email: string, password: string): Promise<void> {
    await this.field('Email').fill(email);
    await this.field('Password').fill(password);
    await this.press('Sign in');
  }

  /** The text or the label of what the keyboard is on; empty where it is on nothing. */
  focused(): Promise<string> {
    return this.page.evaluate(FOCUSED);
  }

  /** What comes after the console's own address. */
  get address(): string {
    return this.page.url().replace(`${this.origin}/console`, '');
  }

  /**
   * From now on, requests to this path of the service may fail so, null being no answer at all; one has to by
   * the end of the test.
   */
  expectFailure(status: number | null, path: string): void {
    const failure = status ?? 'net::\\S+';
    this.expectProblem(new RegExp(`^${failure} for \\w+ https://[^/]+${RegExp.escape(path)}(\\?|$)`));
  }

  /** As `expectFailure`, for anything that would be told. */
  expectProblem(pattern: RegExp): void {
    this.#expected.push({ pattern, met: false });
  }

  /** What went wrong so far; forgets it. */
  problems(): string[] {
    return this.#problems.splice(0);
  }

  /** Closes the window. @throws where something went wrong in it, or something expected did not */
  async leave(t: TestContext): Promise<void> {
    if (t.error !== null) await this.#picture(t);
    await this.context.close();
    assert.deepEqual(this.problems(), [], 'problems in the browser');
    const missing = this.#expected.filter(({ met }) => !met).map(({ pattern }) => pattern);
    if (t.error === null) assert.deepEqual(missing, [], 'problems that were expected did not come');
  }

  #tell(problem: string): void {
    const expected = this.#expected.filter(({ pattern }) => pattern.test(problem));
    for (const one of expected) one.met = true;
    if (expected.length === 0) this.#problems.push(problem);
  }

  #hear(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    // The browser's own words about requests, which are watched themselves.
    if (message.text().startsWith('Failed to load resource:') && message.location().url !== '') return;
    this.#tell(`console: ${message.text()}`);
  }

  #watch(request: Request): void {
    const url = new URL(request.url());
    if (['data:', 'blob:'].includes(url.protocol) || url.origin === this.origin) return;
    this.#tell(`request to another origin: ${request.url()}`);
  }

  #failed(request: Request): void {
    const reason = request.failure()?.errorText;
    if (reason !== GIVEN_UP) this.#tell(`${reason} for ${request.method()} ${request.url()}`);
  }

  /** What the window shows when a test fails. */
  async #picture({ name }: TestContext): Promise<void> {
    const path = join(SCREENSHOTS, 'failed', `${name.replaceAll(/\W+/g, '-')}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
  }
}
