import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { flags, requireBrowser } from '../../test/support/browser/find-browser.ts';
import { Client } from '../../test/support/client.ts';
import { tokenOf } from '../../test/support/links.ts';
import { acceptedInvitation } from '../../test/support/operators.ts';
import { freePort } from '../../test/support/postgres/programs.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { type Lighthouse, loadLighthouse } from '../measuring/load-lighthouse.ts';
import { program } from '../service/servers.ts';

const RUNS = 5;
/** Of the operator's screen. */
const screenPages = ['overview', 'merchants', 'moderation'];
const bounds = { performance: 0.95, accessibility: 1, 'best-practices': 1 };

/**
 * Measures Lighthouse's scores of three console pages and four of the operator's screen with the demo's data,
 * for its phone profile, with a slow processor and network, and its desktop profile. Needs Chromium, found
 * through CHROMIUM or PATH, the npm registry, and an idle machine: a busy one lowers the scores.
 */
export async function lighthouseScores(): Promise<Figure[]> {
  await using resources = new AsyncDisposableStack();
  const lighthouse = await loadLighthouse();
  const demo = await serveDemo();
  resources.defer(demo.stop);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-lighthouse-'));
  resources.defer(() => rmSync(directory, { recursive: true, force: true }));
  const browser = await chromium.launchPersistentContext(directory, {
    executablePath: requireBrowser(),
    args: [...flags, `--remote-debugging-port=${port}`],
    ignoreHTTPSErrors: true,
  });
  resources.defer(() => browser.close());
  const signInUrl = `${demo.origin}/console/sign-in`;
  const signIn = await score(lighthouse, 'sign-in', signInUrl, port);
  const page = await browser.newPage();
  await page.goto(signInUrl);
  await page.locator('#root > [inert]').waitFor({ state: 'detached' });
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${demo.origin}/console/`);
  const productsUrl = `${demo.origin}/console/products`;
  await page.goto(productsUrl);
  const path = await page.locator('a[href^="/console/products/"]').first().getAttribute('href');
  await page.close();
  const products = await score(lighthouse, 'products', productsUrl, port);
  const product = await score(lighthouse, 'product', `${demo.origin}${path}`, port);
  const screenUrl = `${demo.origin}/operator/`;
  const screen = [await score(lighthouse, 'screen: sign-in', `${screenUrl}sign-in`, port)];
  const service = { client: new Client(demo.origin, demo.certificate) };
  const operator = await acceptedInvitation(service, demo.operator);
  await browser.addCookies([...operator.cookies].map(([name, value]) => ({ name, value, url: screenUrl })));
  for (const name of screenPages) {
    const url = `${screenUrl}${name === 'overview' ? '' : name}`;
    screen.push(await score(lighthouse, `screen: ${name}`, url, port));
  }
  return [...signIn, ...products, ...product, ...screen.flat()];
}

async function score(
  { default: run, desktopConfig }: Lighthouse,
  name: string,
  url: string,
  port: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const devices = { phone: undefined, desktop: desktopConfig };
  for (const [device, config] of Object.entries(devices)) {
    const scores = new Map<string, number[]>(Object.keys(bounds).map((category) => [category, []]));
    const metrics = new Map<string, number[]>();
    const keep = (kept: Map<string, number[]>, id: string, value: number): void => {
      kept.set(id, [...(kept.get(id) ?? []), value]);
    };
    const flags = { port, disableStorageReset: true, onlyCategories: [...scores.keys()] };
    for (let runs = 0, failed = 0; runs < RUNS; runs += 1) {
      const result = await run(url, { ...flags, logLevel: 'error' }, config);
      if (result === undefined) throw new Error(`Lighthouse returned nothing for ${url}`);
      const { categories, audits, environment } = result.lhr;
      // On a busy machine, Lighthouse sometimes loses a trace and returns no score.
      if (categories.performance?.score === null) {
        failed += 1;
        runs -= 1;
        if (failed > RUNS) throw new Error(`Lighthouse has failed ${failed} times for ${url}`);
        continue;
      }
      for (const { id, score: value } of Object.values(categories)) keep(scores, id, value ?? 0);
      for (const [metric, id] of Object.entries(reportedMetrics))
        keep(metrics, metric, audits[id]?.numericValue ?? 0);
      keep(metrics, 'machine', environment.benchmarkIndex);
    }
    const notes = [...metrics]
      .map(([id, values]) => `${id} ${Math.round(measured(values).median)}`)
      .join(', ');
    for (const [category, atLeast] of Object.entries(bounds))
      figures.push({
        name: `${name}, ${device}: ${category}`,
        ...measured(scores.get(category) ?? []),
        bound: { atLeast },
        notes: category === 'performance' ? `medians: ${notes}` : '',
      });
  }
  return figures;
}

/** The performance score is computed from them. In milliseconds. */
const reportedMetrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  SI: 'speed-index',
  TBT: 'total-blocking-time',
};

interface Demo {
  origin: string;
  /** As PEM. */
  certificate: string;
  /** Of the console. */
  email: string;
  password: string;
  /** With the token of the link that sets the password. */
  operator: { email: string; token: string };
  stop: () => Promise<void>;
}

async function serveDemo(): Promise<Demo> {
  const env = { ...process.env, PORT: String(await freePort()) };
  const child = spawn(process.execPath, [program, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  const [, url = '', email = '', password = ''] =
    /console is at (\S+): sign in as (\S+) with (\S+)/.exec(output) ?? [];
  const [, operatorEmail = '', link = ''] = /choose a password for (\S+) at\s+(\S+)/.exec(output) ?? [];
  const [, certificate = ''] = /--cacert (\S+)/.exec(output) ?? [];
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return {
    origin: new URL(url).origin,
    certificate: readFileSync(certificate, 'utf8'),
    email,
    password,
    operator: { email: operatorEmail, token: tokenOf(link) },
    stop,
  };
}
