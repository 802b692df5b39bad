import { databaseOf } from '../build-database.ts';
import { ask } from '../client.ts';
import { load } from '../load.ts';
import { type Figure, measured } from '../measure.ts';
import { serve, serveBare, tokenOf } from '../servers.ts';

const ROUNDS = 11;
const SECONDS = 2;
const SIZES = [20_000, 100_000];

/** Requests a second for pages of 50, against a bare server that sends the same bytes from memory. */
export async function pages(): Promise<Figure[]> {
  const directory = await databaseOf('pages', SIZES);
  await using ours = await serve(directory);
  const [small, large] = await Promise.all([tokenOf(directory, 'm1'), tokenOf(directory, 'm2')]);
  const known = `${ours.baseUrl}/products.json?access_token=${small}`;
  const { body } = await ask(known);
  await using bare = await serveBare(body, directory);
  const gzip = { 'accept-encoding': 'gzip' };

  const ratios: Record<string, number[]> = { known: [], small: [], large: [], gzip: [] };
  const notes: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const limit = await load({ url: bare.baseUrl, seconds: SECONDS });
    const asked = await load({ url: known, seconds: SECONDS });
    const fresh = await load({ url: ours.baseUrl, seconds: SECONDS, script: otherPages(small, SIZES[0]) });
    const freshLarge = await load({
      url: ours.baseUrl,
      seconds: SECONDS,
      script: otherPages(large, SIZES[1]),
    });
    const compressed = await load({ url: known, seconds: SECONDS, headers: gzip });
    ratios.known?.push(asked.requestsPerSecond / limit.requestsPerSecond);
    ratios.small?.push(fresh.requestsPerSecond / limit.requestsPerSecond);
    ratios.large?.push(freshLarge.requestsPerSecond / limit.requestsPerSecond);
    ratios.gzip?.push(compressed.requestsPerSecond / asked.requestsPerSecond);
    const told = { bare: limit, known: asked, new: fresh, large: freshLarge, gzip: compressed };
    notes.push(
      Object.entries(told)
        .map(
          ([name, { requestsPerSecond, generatorShare }]) =>
            `${name} ${requestsPerSecond.toFixed(0)}/s (wrk ${generatorShare.toFixed(2)})`,
        )
        .join(', '),
    );
  }
  const size = `${body.length} bytes a page; last round: ${notes.at(-1)}; resident after it ${ours.resident().toFixed(0)} MB`;
  return [
    {
      name: 'known page ÷ bare node:https',
      ...measured(ratios.known ?? []),
      bound: { atLeast: 0.8 },
      notes: size,
    },
    {
      name: `another page each time (catalog of ${SIZES[0]}) ÷ bare node:https`,
      ...measured(ratios.small ?? []),
      bound: { atLeast: 0.35 },
      notes: 'every page in turn; all of them fit in memory, and are kept from their second time on',
    },
    {
      name: `another page each time (catalog of ${SIZES[1]}) ÷ bare node:https`,
      ...measured(ratios.large ?? []),
      bound: { atLeast: 0.35 },
      notes: 'every page in turn; five times as many as fit in memory',
    },
    {
      name: 'known page with gzip ÷ known page',
      ...measured(ratios.gzip ?? []),
      bound: { atLeast: 0.6 },
      notes: '',
    },
  ];
}

/** A wrk script that asks for every page of 50 in turn, none of them beside the one before. */
function otherPages(token: string, catalog = 0): string {
  const count = Math.floor(catalog / 50);
  return `
    local turn = 0
    request = function()
      turn = turn + 7
      return wrk.format("GET", "/v1/products.json?access_token=${token}&page=" .. (1 + turn % ${count}))
    end`;
}
