import type { BulkPreview, ConsoleImport } from '../../src/console/catalog-api.ts';
import type { ConsoleClient } from '../../test/support/console.ts';
import { sendFile, untilState } from '../../test/support/console-imports.ts';
import { until } from '../../test/support/until.ts';
import type { Engine } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { percentile, requestSteadily } from '../measuring/steady.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { signIn } from '../service/console-user.ts';
import { serve, tokenOf } from '../service/servers.ts';

const PRODUCTS = 100_000;
const BULK_PRODUCTS = 10_000;
const ROUNDS = 3;
const PER_SECOND = 100;
const IMPORT_TIMEOUT_MS = 600_000;
const QUIET_MS = 15_000;
/** An ERP might request these repeatedly. */
const PAGES = 200;

/**
 * Measures the latency of requests while one merchant imports 100,000 products in the console, and while
 * another changes 10,000 products at once.
 */
export async function consoleImports(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'console-writes', [PRODUCTS, PRODUCTS, BULK_PRODUCTS]);
  await using server = await serve(settings);
  const console = await signIn(settings, server.baseUrl, 'm1');
  const bulkConsole = await signIn(settings, server.baseUrl, 'm3');
  const tokens = [await tokenOf(settings, 'm1'), await tokenOf(settings, 'm2')];
  let turn = 0;
  const nextUrl = (): string => {
    turn += 1;
    const page = 1 + ((turn * 7) % PAGES);
    return `${server.baseUrl}/products.json?access_token=${tokens[turn % 2]}&page=${page}`;
  };
  const during = async (work: Promise<unknown>): Promise<number> => {
    let over = false;
    const ended = work.finally(() => (over = true));
    const times = await requestSteadily(nextUrl, PER_SECOND, () => over);
    await ended;
    return percentile(times, 0.99);
  };
  const quiet = (): Promise<number> => during(new Promise((resolve) => setTimeout(resolve, QUIET_MS)));

  await quiet();
  const quietTimes: number[] = [];
  const checkTimes: number[] = [];
  const importTimes: number[] = [];
  const bulkTimes: number[] = [];
  const progressTimes: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    quietTimes.push(await quiet());
    const { id } = (
      await sendFile(console, 'catalog.ndjson', catalogFile(`${Date.now()}`))
    ).json<ConsoleImport>();
    checkTimes.push(await during(untilState(console, id, 'checked', IMPORT_TIMEOUT_MS)));
    await console.post(`/imports/${id}/import`);
    importTimes.push(await during(untilState(console, id, 'done', IMPORT_TIMEOUT_MS)));
    const change = changeAll(bulkConsole, round);
    bulkTimes.push(await during(change));
    progressTimes.push(await change);
  }
  const figure = (name: string, times: number[]): Figure => ({
    name: `p99 latency of a page of 50 while ${name} ÷ without an upload`,
    ...measured(times.map((time, round) => time / (quietTimes[round] ?? Number.NaN))),
    bound: { atMost: 2 },
    notes: `${measured(times).median.toFixed(1)} ms ÷ ${measured(quietTimes).median.toFixed(1)} ms`,
  });
  return [
    figure('the file is checked', checkTimes),
    figure('the file is imported', importTimes),
    figure(`${BULK_PRODUCTS} products are changed at once`, bulkTimes),
    {
      name: `time until a change of ${BULK_PRODUCTS} products shows progress, in ms`,
      ...measured(progressTimes),
      bound: { atMost: 1000 },
      notes: '',
    },
  ];
}

/** Changes the stock. Resolves to the milliseconds until progress was shown. */
async function changeAll(console: ConsoleClient, quantity: number): Promise<number> {
  const start = performance.now();
  const response = await console.post('/products/bulk', { all: true, kind: 'stock', quantity });
  if (response.status !== 200) throw new Error(response.text);
  const { id } = response.json<BulkPreview>();
  await until(async () => {
    const { state, progress } = (await console.get(`/imports/${id}`)).json<ConsoleImport>();
    return state !== 'checking' || progress > 0;
  });
  const elapsed = performance.now() - start;
  await untilState(console, id, 'checked', IMPORT_TIMEOUT_MS);
  await console.post(`/imports/${id}/import`);
  await untilState(console, id, 'done', IMPORT_TIMEOUT_MS);
  return elapsed;
}

function catalogFile(change: string): string {
  let lines = '';
  for (const { identifier, fields, variations } of generateDrafts(PRODUCTS, 1)) {
    lines += `${JSON.stringify({ identifier, ...fields, variations, campaign_name: change })}\n`;
  }
  return lines;
}
