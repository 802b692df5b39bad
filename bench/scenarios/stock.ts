import type { Engine, Settings } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import type { Figure } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { changeableVariations, databaseOf } from '../service/build-database.ts';
import { serve, servePlain, tokenOf } from '../service/servers.ts';

const ROUNDS = 5;
const MERCHANTS = 100;
const PRODUCTS = 200;
const KEYED = 'with Idempotency-Key';
const bounds = {
  sqlite: { one: 0.8, all: 0.6, alone: 0.6 },
  postgres: { one: 0.5, all: 0.5, alone: 0.5 },
};

/** Compares changes of stock, one for each request, to a server that commits a row for each request. */
export async function stock(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const seconds = short ? 1 : 3;
  await engine.drop('stock');
  const settings = await databaseOf(engine, 'stock', Array<number>(MERCHANTS).fill(PRODUCTS));
  await using servers = new AsyncDisposableStack();
  const ours = servers.use(await serve(settings));
  const target = engine.name === 'postgres' ? settings.DATABASE_URL : settings.DATA_DIR;
  const { baseUrl: bare } = servers.use(await servePlain('commit-per-request.ts', settings, target));
  const url = `${ours.baseUrl}/variations/update.json`;
  const change = { products: PRODUCTS, quantity: 'count' };
  const script = await stockScript(settings, { ...change, merchants: 1 });
  const ofAll = await stockScript(settings, { ...change, merchants: MERCHANTS });
  const keyed = await stockScript(settings, { ...change, merchants: 1, isKeyed: true });
  const measurements: Record<string, () => Promise<LoadResult>> = {
    bare: () => load({ url: bare, seconds, connections: 64 }),
    'one merchant': () => load({ url, seconds, script, connections: 64, mayRefuse: true }),
    [KEYED]: () => load({ url, seconds, script: keyed, connections: 64, mayRefuse: true }),
    '100 merchants': () => load({ url, seconds, script: ofAll, connections: 64, mayRefuse: true }),
    'bare, one connection': () => load({ url: bare, seconds, connections: 1 }),
    'one connection': () => load({ url, seconds, script, connections: 1 }),
  };
  const results = await inTurns(measurements, ROUNDS);
  const figure = (one: string, other: string, atLeast: number): Figure => {
    const [rates = [], limit = []] = [results[one], results[other]];
    const refused = Math.max(...rates.map(({ refusedShare }) => refusedShare));
    return {
      name: `POST /variations/update.json, ${one} ÷ ${other === 'one merchant' ? other : `${other}: a commit per request`}`,
      ...ratio(rates, limit),
      bound: { atLeast },
      notes: `${describeRates({ [one]: rates, [other]: limit })}; refused ${(100 * refused).toFixed(1)}%`,
    };
  };
  const { one, all, alone } = bounds[engine.name];
  return [
    figure('one merchant', 'bare', one),
    figure('100 merchants', 'bare', all),
    figure('one connection', 'bare, one connection', alone),
    figure(KEYED, 'one merchant', 0.8),
  ];
}

/**
 * Changes random variations of the first merchants. `quantity` is an expression in Lua, in which `count` is
 * the request's number. With `isKeyed`, each request has an `Idempotency-Key` of its own.
 */
export async function stockScript(
  settings: Settings,
  {
    merchants,
    products,
    quantity,
    isKeyed = false,
  }: { merchants: number; products: number; quantity: string; isKeyed?: boolean },
): Promise<string> {
  const tokens: string[] = [];
  const variations: string[] = [];
  for (let number = 1; number <= merchants; number += 1) {
    tokens.push(await tokenOf(settings, `m${number}`));
    const identifiers = changeableVariations(products, number);
    variations.push(`{${identifiers.map((identifier) => JSON.stringify(identifier)).join(',')}}`);
  }
  return `
    local tokens = {${tokens.map((token) => JSON.stringify(token)).join(',')}}
    local variations = {${variations.join(',')}}
    local headers = {["Content-Type"] = "application/x-www-form-urlencoded"}
    local count = 0
    local run = os.time() .. "-"
    function request()
      count = count + 1
      ${isKeyed ? 'headers["Idempotency-Key"] = run .. count' : ''}
      local merchant = math.random(#tokens)
      local list = variations[merchant]
      local body = "access_token=" .. tokens[merchant] .. "&identifier=" .. list[math.random(#list)] .. "&quantity=" .. ${quantity}
      return wrk.format("POST", nil, headers, body)
    end`;
}
