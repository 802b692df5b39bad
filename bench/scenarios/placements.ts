import type { Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import type { Figure } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { marketOf, placementsUrl, untilComplete } from '../service/market.ts';
import { serve, servePlain } from '../service/servers.ts';

const ROUNDS = 5;
const MARKET = { merchants: 100, products: 200, campaigns: 10, categories: 100 };
const REQUESTS = 100;
/** Each call has so many requests that more connections would only wait. */
const CALLS = 4;

/**
 * Compares placements that are reserved, one for each request of 64 connections, to a server that commits a
 * row for each request: of many campaigns, of one that wins everything, and with 100 requests in a call.
 */
export async function placements(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const seconds = short ? 1 : 4;
  await engine.drop('placements');
  const { settings, token } = await marketOf(engine, 'placements', MARKET);
  await using servers = new AsyncDisposableStack();
  const ours = servers.use(await serve(settings));
  const target = engine.name === 'postgres' ? settings.DATABASE_URL : settings.DATA_DIR;
  const { baseUrl: bare } = servers.use(await servePlain('commit-per-request.ts', settings, target));
  const url = placementsUrl(ours);
  await untilComplete(url, token);
  const loadWith = (script: string, connections = 64): Promise<LoadResult> =>
    load({ url, seconds, script, connections });
  const script = (run: string, requests: number, isHot: boolean): string =>
    scriptOf({ token, run, requests, isHot });
  const results = await inTurns(
    {
      bare: () => load({ url: bare, seconds, connections: 64 }),
      many: () => loadWith(script('many', 1, false)),
      hot: () => loadWith(script('hot', 1, true)),
      calls: () => loadWith(script('calls', REQUESTS, false), CALLS),
    },
    ROUNDS,
  );
  const { bare: limit, many, hot } = results;
  const calls = results.calls.map((result) => ({
    ...result,
    requestsPerSecond: result.requestsPerSecond * REQUESTS,
  }));
  const bareName = 'a commit per request';
  return [
    {
      name: `placements of many campaigns, 64 connections ÷ ${bareName}`,
      ...ratio(many, limit),
      bound: { atLeast: 0.5 },
      notes: describeRates({ placements: many, bare: limit }),
    },
    {
      name: 'placements of one campaign that wins everything ÷ of many campaigns',
      ...ratio(hot, many),
      bound: { atLeast: 0.5 },
      notes: describeRates({ one: hot, many }),
    },
    {
      name: `placements, ${REQUESTS} requests a call ÷ one`,
      ...ratio(calls, many),
      bound: { atLeast: 3 },
      notes: describeRates({ placements: calls, one: many }),
    },
  ];
}

/** Requests with keys of their own: of a random category, or of all products. */
function scriptOf({
  token,
  run,
  requests,
  isHot,
}: {
  token: string;
  run: string;
  requests: number;
  isHot: boolean;
}): string {
  return `
    local headers = {["Content-Type"] = "application/json", ["Authorization"] = "Bearer ${token}"}
    local run = "${run} " .. os.time() .. " " .. os.clock() .. " "
    local count = 0
    function request()
      local parts = {}
      for index = 1, ${requests} do
        count = count + 1
        local category = ${isHot ? "''" : `',"category":"Level ' .. math.random(0, ${MARKET.categories - 1}) .. '"'`}
        parts[index] = '{"key":"' .. run .. count .. '"' .. category .. '}'
      end
      return wrk.format("POST", nil, headers, '{"requests":[' .. table.concat(parts, ',') .. ']}')
    end`;
}
