import { once } from 'node:events';
import { request } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Random } from '../../src/demo/random.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { createOperatorKey } from '../../test/support/keys.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import type { Figure } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { serve, servePlain } from '../service/servers.ts';

const ROUNDS = 5;
const MERCHANTS = 100;
const PRODUCTS = 200;
const CAMPAIGNS = 10;
/** Each has products of all merchants. */
const CATEGORIES = 100;
const REQUESTS = 100;
/** With so many requests each, calls of more connections would only wait. */
const CALLS = 4;
/** A product could otherwise win only a few times a day, and so could a campaign. */
const NO_LIMIT = { max_daily_schedules: null };

/**
 * Compares placements that are reserved, one for each request of 64 connections, to a server that commits a
 * row for each request: of many campaigns, of one that wins everything, and with 100 requests in a call.
 */
export async function placements(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const seconds = short ? 1 : 4;
  await engine.drop('placements');
  const settings = await databaseOf(engine, 'placements', Array<number>(MERCHANTS).fill(PRODUCTS), {
    drafts,
  });
  const token = await addCampaigns(settings);
  await using servers = new AsyncDisposableStack();
  const ours = servers.use(await serve(settings));
  const target = engine.name === 'postgres' ? settings.DATABASE_URL : settings.DATA_DIR;
  const { baseUrl: bare } = servers.use(await servePlain('commit-per-request.ts', settings, target));
  const url = ours.baseUrl.replace('/v1', '/operator/v1/placements');
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

/** Products that compete: of a campaign, in a category of many merchants. */
function* drafts(count: number, seed: number): Generator<ProductDraft> {
  let number = 0;
  for (const draft of generateDrafts(count, seed)) {
    number += 1;
    const campaign_name = `Campaign ${number % CAMPAIGNS}`;
    const category = `Level ${(seed * count + number) % CATEGORIES}`;
    yield { ...draft, fields: { ...draft.fields, ...NO_LIMIT, status: undefined, campaign_name, category } };
  }
}

/** Adds campaigns without budgets to all merchants. Resolves to a token of the operator. */
async function addCampaigns(settings: Settings): Promise<string> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  const random = new Random(1);
  for (let number = 1; number <= MERCHANTS; number += 1) {
    const merchantId = (await findMerchant({ database }, `m${number}`))?.id;
    if (merchantId === undefined) throw new Error(`no merchant m${number}`);
    await database.transaction(
      async (connection) => {
        const context = { connection, merchantId, who: OPERATOR, now: Date.now(), budget: null };
        for (let campaign = 0; campaign < CAMPAIGNS; campaign += 1)
          await createCampaign(context, {
            ...{
              name: `Campaign ${campaign}`,
              type: 'AuctionCampaign',
              bid_amount: random.whole(10, 200) / 100,
            },
            ...{ daily_budget: undefined, daily_budget_per_product: undefined },
            ...{
              lifetime_budget: undefined,
              lifetime_budget_per_product: undefined,
              hourly_schedule: undefined,
            },
          });
      },
      { merchantId },
    );
  }
  const key = { name: 'bench', scopes: ['campaigns'], expiresAt: null } as const;
  const { token } = await createOperatorKey({ database, now: Date.now }, key);
  await database.close();
  return token;
}

/** The server reads who competes once it is asked. */
async function untilComplete(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (;;) {
    const call = request(url, { method: 'POST', headers, rejectUnauthorized: false });
    call.end(JSON.stringify({ requests: [{ key: 'first' }] }));
    const [{ statusCode }] = (await once(call, 'response')) as [{ statusCode: number }];
    if (statusCode === 200) return;
    if (statusCode !== 503) throw new Error(`POST /placements responds with ${statusCode}`);
    await setTimeout(200);
  }
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
        local category = ${isHot ? "''" : `',"category":"Level ' .. math.random(0, ${CATEGORIES - 1}) .. '"'`}
        parts[index] = '{"key":"' .. run .. count .. '"' .. category .. '}'
      end
      return wrk.format("POST", nil, headers, '{"requests":[' .. table.concat(parts, ',') .. ']}')
    end`;
}
