import type { Engine } from '../engines/engine.ts';
import { get } from '../measuring/client.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { differentPages } from '../measuring/wrk-scripts.ts';
import { databaseOf } from '../service/build-database.ts';
import { serve, serveBytes, servePlain, tokenOf } from '../service/servers.ts';

/** On PostgreSQL, compared to a server with one statement per request and the same driver. */
const bounds = {
  sqlite: { cached: { atLeast: 0.8 }, different: { atLeast: 0.35 } },
  postgres: { cached: { atLeast: 0.3 }, different: { atLeast: 0.6 } },
};

/** Measures pages of 50 per second, compared to minimal servers that send the same bytes. */
export async function pages(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const [rounds, seconds, sizes] = short ? [5, 1, [20_000]] : [11, 2, [20_000, 100_000]];
  const settings = await databaseOf(engine, short ? 'pages-short' : 'pages', sizes);
  await using servers = new AsyncDisposableStack();
  const ours = servers.use(await serve(settings));
  const url = `${ours.baseUrl}/products.json?access_token=${await tokenOf(settings, 'm1')}`;
  const { body } = await get(url);
  const bare = servers.use(await serveBytes(body, settings));
  const measurements: Record<string, () => Promise<LoadResult>> = {
    bare: () => load({ url: bare.baseUrl, seconds }),
    cached: () => load({ url, seconds }),
    gzip: () => load({ url, seconds, headers: { 'accept-encoding': 'gzip' } }),
  };
  for (const [index, size] of sizes.entries()) {
    const script = differentPages(await tokenOf(settings, `m${index + 1}`), size);
    measurements[`different of ${size}`] = () => load({ url: ours.baseUrl, seconds, script });
    // As in a client's first crawl: no page was requested before.
    measurements[`different of ${size}, gzip`] = () =>
      load({ url: ours.baseUrl, seconds, script, headers: { 'accept-encoding': 'gzip' } });
    if (engine.name !== 'postgres') continue;
    const merchant = String(index + 1);
    const select = servers.use(await servePlain('from-select.ts', settings, settings.DATABASE_URL, merchant));
    measurements[`select of ${size}`] = () => load({ url: select.baseUrl, seconds });
  }
  const results = await inTurns(measurements, rounds);

  const figure = (name: string, one: string, other: string, bound: Figure['bound']): Figure => {
    const [rates = [], limit = []] = [results[one], results[other]];
    return { name, ...ratio(rates, limit), bound, notes: describeRates({ [one]: rates, [other]: limit }) };
  };
  const { cached, different } = bounds[engine.name];
  const [limit, limitName] =
    engine.name === 'postgres'
      ? [(size: number) => `select of ${size}`, 'bare node:https with one select']
      : [() => 'bare', 'bare node:https'];
  return [
    figure('cached page ÷ bare node:https', 'cached', 'bare', cached),
    ...sizes.map((size) =>
      figure(
        `different page each time (catalog of ${size}) ÷ ${limitName}`,
        `different of ${size}`,
        limit(size),
        different,
      ),
    ),
    figure('cached page with gzip ÷ cached page', 'gzip', 'cached', { atLeast: 0.6 }),
    ...sizes.map((size) =>
      figure(
        `first crawl with gzip ÷ first crawl (catalog of ${size})`,
        `different of ${size}, gzip`,
        `different of ${size}`,
        size === 100_000 ? { atLeast: 0.6 } : null,
      ),
    ),
    {
      name: `resident memory at the end, in MB (a page has ${body.length} bytes)`,
      ...measured([ours.resident()]),
      bound: null,
      notes: '',
    },
  ];
}
