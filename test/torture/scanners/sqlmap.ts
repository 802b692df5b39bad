import assert from 'node:assert/strict';
import { get } from '../../../bench/measuring/client.ts';
import { generateDrafts } from '../../../bench/service/build-database.ts';
import type { Schema } from '../../../src/http/schema.ts';
import { Client } from '../../support/client.ts';
import { ConsoleClient } from '../../support/console.ts';
import type { OpenApiDocument } from '../../support/openapi.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { documented, type Endpoint, ORDER_ID, undocumented } from '../fuzz/endpoints.ts';
import { figure, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData, EMAIL, TOKEN } from '../test-data.ts';
import { missingProgram, outputOf } from './program.ts';

const TIMEOUT_SECONDS = 600;
const SAFE = 'all tested parameters do not appear to be injectable';
/** Valid values, because sqlmap starts from a valid request. */
const VALUES: Record<string, string> = {
  status: 'in_stock',
  category: 'Home',
  sort: 'created_at_ascending',
  page: '1',
  per_page: '5',
  pagination: 'true',
  identifier: [...generateDrafts(1, 1)].map(({ identifier }) => `${identifier}-a`).join(),
  before: '100',
  limit: '10',
  email: EMAIL,
  order_id: String(ORDER_ID),
  order_ids: String(ORDER_ID),
};

export const sqlmap: Scenario = {
  promise: 'sqlmap finds no injection in any parameter of any endpoint',
  skipReason: () => missingProgram('sqlmap'),
  run: async (t, { full }) => {
    const { settings } = await createTestData(t, 50);
    const server = await StressedServer.start(t, settings);
    const client = new Client(server.origin, server.ca);
    t.after(() => client.close());
    const browser = new ConsoleClient(client);
    await browser.signIn(EMAIL);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const document = JSON.parse(String((await get(`${server.origin}/openapi.json`)).body)) as OpenApiDocument;
    const all = [...documented(document), ...undocumented].filter(
      ({ parameters, console }) => parameters.length > 0 || !console,
    );
    const directory = await temporaryDirectory(t);
    const chosen = full ? all : all.filter(({ path }) => path.endsWith('/retrieve.json'));
    const findings: string[] = [];
    let tested = 0;
    for (const endpoint of chosen.filter(({ path }) => !path.endsWith('/sign-out'))) {
      const { parameters, count } = commandLine(endpoint, server.origin, cookie);
      if (count === 0) continue;
      const command = [...parameters, '--output-dir', directory];
      const output = await outputOf(
        'sqlmap',
        [...command, ...(full ? ['--level=2', '--risk=2'] : ['--technique=BE'])],
        TIMEOUT_SECONDS,
      );
      tested += count;
      if (!output.includes(SAFE))
        findings.push(`${endpoint.method} ${endpoint.path}: ${output.slice(-2_000)}`);
      if (full) process.stderr.write(`${endpoint.method} ${endpoint.path}: ${count} parameters\n`);
    }
    server.check();
    await server.stop();
    assert.deepEqual(findings, []);
    return [figure('parameters tested, none of them injectable', tested, { atLeast: 1 })];
  },
};

function commandLine(
  { method, path, parameters, console }: Endpoint,
  origin: string,
  cookie: string,
): { parameters: string[]; count: number } {
  const pairs = parameters.map(({ name, schema }): [string, string] => [name, validValue(name, schema)]);
  if (path.startsWith('/v1/')) pairs.push(['access_token', TOKEN]);
  const inBody = method === 'POST';
  const query = inBody || pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  const body = console ? JSON.stringify(Object.fromEntries(pairs)) : String(new URLSearchParams(pairs));
  return {
    count: pairs.length,
    parameters: [
      ...['--batch', '--dbms=SQLite', '--flush-session', '--disable-coloring', '--threads=4'],
      // Errors are normal responses here: sqlmap compares responses.
      ...['--ignore-code=*', '--method', method, '--url', `${origin}${path}${query}`],
      ...(inBody ? ['--data', body] : []),
      // The cookie identifies the session, and is not a parameter.
      ...(console
        ? [
            '--headers',
            `Sec-Fetch-Site: same-origin\nContent-Type: application/json\nCookie: ${cookie}`,
            '--skip',
            'cookie,user-agent,referer,host',
          ]
        : []),
    ],
  };
}

/** Lists of products and of orders have other statuses and sort orders. */
function validValue(name: string, { enum: words }: Schema): string {
  const value = VALUES[name];
  if (words !== undefined && !words.includes(value ?? null))
    return String(words.find((word) => word !== null));
  return value ?? 'a';
}
