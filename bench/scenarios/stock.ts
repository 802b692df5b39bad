import type { Engine, Settings } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { load } from '../measuring/load.ts';
import { plainScripts } from '../plain/scripts.ts';
import { changeableVariations, databaseOf } from '../service/build-database.ts';
import { serve, tokenOf } from '../service/servers.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;
const MERCHANTS = 100;
const PRODUCTS = 200;

/** Measures changes of stock per second, one per request, compared to a script that commits single rows. */
export async function stock(engine: Engine): Promise<Figure[]> {
  await engine.drop('stock');
  const settings = await databaseOf(engine, 'stock', Array<number>(MERCHANTS).fill(PRODUCTS));
  const figures: Figure[] = [];
  for (const [merchants, atLeast] of [
    [1, 0.5],
    [MERCHANTS, 1],
  ] as const) {
    const script = await stockScript(settings, { merchants, products: PRODUCTS, quantity: 'count' });
    const ratios: number[] = [];
    let notes = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await plainScripts[engine.name].commit(settings, SECONDS);
      await using server = await serve(settings);
      const url = `${server.baseUrl}/variations/update.json`;
      const ours = await load({ url, seconds: SECONDS, script, connections: CONNECTIONS, mayRefuse: true });
      ratios.push(ours.requestsPerSecond / plain);
      notes = `last round: plain script ${plain.toFixed(0)}/s, service ${ours.requestsPerSecond.toFixed(0)}/s (wrk ${ours.generatorShare.toFixed(2)}; refused ${(100 * ours.refusedShare).toFixed(1)}%)`;
    }
    const name = `POST /variations/update.json of ${merchants} merchant(s) on ${CONNECTIONS} connections ÷ plain commits on one connection`;
    figures.push({ name, ...measured(ratios), bound: { atLeast }, notes });
  }
  return figures;
}

/**
 * Changes random variations of the first merchants. `quantity` is an expression in Lua, in which `count` is
 * the request's number.
 */
export async function stockScript(
  settings: Settings,
  { merchants, products, quantity }: { merchants: number; products: number; quantity: string },
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
    function request()
      count = count + 1
      local merchant = math.random(#tokens)
      local list = variations[merchant]
      local body = "access_token=" .. tokens[merchant] .. "&identifier=" .. list[math.random(#list)] .. "&quantity=" .. ${quantity}
      return wrk.format("POST", nil, headers, body)
    end`;
}
