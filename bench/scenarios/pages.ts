import type { Engine } from '../engines/engine.ts';
import { get } from '../measuring/client.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { otherPages } from '../measuring/wrk-scripts.ts';
import { databaseOf } from '../service/build-database.ts';
import { serve, serveBytes, servePlain, tokenOf } from '../service/servers.ts';

const ROUNDS = 11;
const seconds = 2;
const SIZES = [20_000, 100_000];
/** On PostgreSQL, new pages are compared to a server that runs one statement per request through the same driver. */
const bounds = {
  sqlite: { known: { atLeast: 0.8 }, other: { atLeast: 0.35 } },
  postgres: { known: { atLeast: 0.3 }, other: { atLeast: 0.6 } },
};

/** Measures requests per second for pages of 50, compared to bare servers that send the same bytes. */
export async function pages(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'pages', SIZES);
  await using servers = new AsyncDisposableStack();
  const ours = servers.use(await serve(settings));
  const url = `${ours.baseUrl}/products.json?access_token=${await tokenOf(settings, 'm1')}`;
  const { body } = await get(url);
  const bare = servers.use(await serveBytes(body, settings));
  const measurements: Record<string, () => Promise<LoadResult>> = {
    bare: () => load({ url: bare.baseUrl, seconds }),
    known: () => load({ url, seconds }),
    gzip: () => load({ url, seconds, headers: { 'accept-encoding': 'gzip' } }),
  };
  for (const [index, size] of SIZES.entries()) {
    const script = otherPages(await tokenOf(settings, `m${index + 1}`), size);
    measurements[`other of ${size}`] = () => load({ url: ours.baseUrl, seconds, script });
    // Like the first crawl of a client: no page was requested before.
    measurements[`other of ${size}, gzip`] = () =>
      load({ url: ours.baseUrl, seconds, script, headers: { 'accept-encoding': 'gzip' } });
    if (engine.name !== 'postgres') continue;
    const merchant = String(index + 1);
    const select = servers.use(await servePlain('from-select.ts', settings, settings.DATABASE_URL, merchant));
    measurements[`select of ${size}`] = () => load({ url: select.baseUrl, seconds });
  }
  const results = await inTurns(measurements, ROUNDS);

  const figure = (name: string, one: string, other: string, bound: Figure['bound']): Figure => {
    const [rates = [], limit = []] = [results[one], results[other]];
    return { name, ...ratio(rates, limit), bound, notes: describeRates({ [one]: rates, [other]: limit }) };
  };
  const { known, other } = bounds[engine.name];
  const [limit, limitName] =
    engine.name === 'postgres'
      ? [(size: number) => `select of ${size}`, 'bare node:https with one select']
      : [() => 'bare', 'bare node:https'];
  return [
    figure('known page ÷ bare node:https', 'known', 'bare', known),
    ...SIZES.map((size) =>
      figure(
        `another page each time (catalog of ${size}) ÷ ${limitName}`,
        `other of ${size}`,
        limit(size),
        other,
      ),
    ),
    figure('known page with gzip ÷ known page', 'gzip', 'known', { atLeast: 0.6 }),
    figure(
      'first crawl with gzip ÷ first crawl (catalog of 100000)',
      'other of 100000, gzip',
      'other of 100000',
      { atLeast: 0.6 },
    ),
    figure(
      'first crawl with gzip ÷ first crawl (catalog of 20000)',
      'other of 20000, gzip',
      'other of 20000',
      null,
    ),
    {
      name: `resident after all of this, in MB (a page has ${body.length} bytes)`,
      ...measured([ours.resident()]),
      bound: null,
      notes: '',
    },
  ];
}
