import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { Random } from '../../../src/demo/random.ts';
import type { RequestRecord } from '../../../src/placements/reserve/auction.ts';
import type { ClientResponse } from '../../support/client.ts';
import { failOver } from '../../support/postgres/pair.ts';
import type { Owner } from '../../support/process.ts';
import { onDatabase } from '../../support/stored.ts';
import { until } from '../../support/until.ts';
import { type EngineName, onEachEngine } from '../engines.ts';
import { type Extent, figure, type Scenario } from '../scenario.ts';
import { type Bidder, countUnequalFigures, fillMarket, listGiven, listOverspent } from './auction-market.ts';
import { Cluster, killsIn } from './cluster.ts';
import { createNodeData } from './node-data.ts';

const MINUTES = 60;
const KILL_EVERY_MS = 5_000;
const SHORT = { kills: 3, placements: 100 };
const REQUESTERS = 6;
const PAUSE_MS = 20;
const RETRY_MS = 200;
const CHECK_MS = 1_000;
const CATCH_UP_MS = 60_000;

export const auctions: Scenario = {
  promise:
    'no budget is exceeded, no reserved placement is lost and no request is answered twice, with nodes that are killed every five seconds and a failover on PostgreSQL',
  run: (_t, extent) => onEachEngine(extent, (engine, t) => runOn(engine, t, extent)),
};

interface Given {
  merchant: string;
  price: number;
}

async function runOn(engine: EngineName, t: Owner, extent: Extent): Promise<Figure[]> {
  const { pair, ...data } = await createNodeData(engine, t);
  const settings = { ...data.settings, AD_PACING: 'fast' };
  const random = new Random(extent.seed);
  const market = await onDatabase(settings, (database) => fillMarket(database, random));
  const cluster = await Cluster.start(t, { engine, settings, random });
  const auction = new AuctionHouse(cluster, market, random);
  let isOpen = true;
  const repeat = async (step: () => Promise<void>, ms: number): Promise<void> => {
    while (isOpen) {
      await step();
      await pause(ms);
    }
  };
  const database = await openDatabase(parseConfig(settings), Date.now());
  let [checks, over] = [0, 0];
  const check = async (): Promise<void> => {
    // Not during a failover.
    const overspent = await database.all(listOverspent).catch(() => undefined);
    if (overspent === undefined) return;
    checks += 1;
    over += overspent.length;
  };
  const work = Promise.all([
    ...Array.from({ length: REQUESTERS }, () => repeat(() => auction.request(), PAUSE_MS)),
    repeat(() => auction.report(), PAUSE_MS),
    repeat(() => auction.change(), PAUSE_MS),
    repeat(check, CHECK_MS),
  ]);
  const kills = extent.full ? killsIn(extent.minutes ?? MINUTES, KILL_EVERY_MS) : SHORT.kills;
  const plan = { kills, everyMs: extent.full ? KILL_EVERY_MS : undefined, each: SHORT.placements };
  const killing = cluster.kill({ ...plan, progress: () => auction.given.size }, async (kill) => {
    if (pair === undefined || kill !== Math.ceil(kills / 2)) return;
    await failOver(pair);
  });
  await Promise.race([killing, work]);
  isOpen = false;
  await work;
  await check();
  const figures = await compare(engine, auction, database);
  await database.close();
  await cluster.stop();
  return [
    figure(`${engine}: kills`, kills, null, `seed ${extent.seed}`),
    figure(`${engine}: placements given`, auction.given.size, { atLeast: SHORT.placements }),
    figure(`${engine}: requests sent again`, auction.repeated, null),
    figure(`${engine}: budgets exceeded`, over, { atMost: 0 }, `in ${checks} checks`),
    figure(`${engine}: requests with two answers`, auction.different, { atMost: 0 }),
    ...figures,
  ];
}

/** Compares the ledger to what was given. */
async function compare(engine: EngineName, auction: AuctionHouse, database: Database): Promise<Figure[]> {
  await until(async () => (await database.first(listGiven).catch(() => undefined)) !== undefined, {
    timeoutMs: CATCH_UP_MS,
  });
  const lines = await database.all(listGiven);
  const stored = new Map(lines.map((line) => [line.placement_id, line]));
  const lost = [...auction.given].filter(([id, { price }]) => {
    const line = stored.get(id);
    return line === undefined || (line.price !== price && line.late === 0);
  });
  const unknown = lines.filter(({ placement_id }) => !auction.given.has(placement_id));
  const [{ unequal } = { unequal: Number.NaN }] = await database.all(countUnequalFigures);
  return [
    figure(`${engine}: placements lost or with another price`, lost.length, { atMost: 0 }),
    figure(`${engine}: placements that no response has`, unknown.length, { atMost: 0 }),
    figure(`${engine}: figures that are not the sum of their lines`, unequal, { atMost: 0 }),
  ];
}

/** The operator's back end and the merchants, who try again until they get a response. */
class AuctionHouse {
  readonly given = new Map<string, Given>();
  /** Not reported yet. */
  readonly #open: string[] = [];
  readonly #cluster: Cluster;
  readonly #bidders: readonly Bidder[];
  readonly #headers: { authorization: string };
  readonly #random: Random;
  repeated = 0;
  different = 0;

  constructor(
    cluster: Cluster,
    { bidders, token }: { bidders: readonly Bidder[]; token: string },
    random: Random,
  ) {
    this.#cluster = cluster;
    this.#bidders = bidders;
    this.#headers = { authorization: `Bearer ${token}` };
    this.#random = random;
  }

  /** Some requests are asked again after their response. */
  async request(): Promise<void> {
    const random = this.#random;
    const requests = Array.from({ length: random.whole(1, 4) }, () => ({
      ...{ key: randomUUID(), count: random.whole(1, 3), hold: random.pick([20, 900]) },
      ...(random.chance(0.3) && { max_per_merchant: 1 }),
    }));
    const json = { requests };
    const results = await this.#ask(json);
    if (random.chance(0.1) && !isDeepStrictEqual(await this.#ask(json), results)) this.different += 1;
    for (const { placements } of results) {
      for (const { placement_id, merchant, price } of placements) {
        this.given.set(placement_id, { merchant, price: Math.round(price * 10_000) });
        this.#open.push(placement_id);
      }
    }
  }

  async report(): Promise<void> {
    const some = this.#open.splice(0, this.#random.whole(0, 30));
    // Others expire.
    const outcomes = some.filter(() => this.#random.chance(0.8));
    if (outcomes.length === 0) return;
    const json = outcomes.map((placement_id) => ({
      placement_id,
      outcome: this.#random.chance(0.7) ? 'delivered' : 'released',
    }));
    await this.#untilResponse('/operator/v1/placements/outcomes', json, this.#headers);
  }

  /** Budgets are only raised, so that whatever exceeds one is wrong. */
  async change(): Promise<void> {
    const random = this.#random;
    const { token, campaigns } = anyOf(random, this.#bidders);
    const campaign = anyOf(random, campaigns);
    const { id: internal_id } = campaign;
    const authorization = { authorization: `Bearer ${token}` };
    const action = random.pick(['pause', 'resume', 'update', 'update'] as const);
    if (action === 'update') campaign.lifetime += random.whole(0, 50) / 100;
    const changes = { bid_amount: random.whole(1, 20) / 100, lifetime_budget: campaign.lifetime };
    const json = { internal_id, ...(action === 'update' && changes) };
    await this.#cluster.send('POST', `/v1/campaigns/${action}`, { json, headers: authorization });
  }

  async #ask(json: object): Promise<RequestRecord[]> {
    const response = await this.#untilResponse('/operator/v1/placements', json, this.#headers);
    return response.json<{ results: RequestRecord[] }>().results;
  }

  async #untilResponse(path: string, json: object, headers: Record<string, string>): Promise<ClientResponse> {
    for (;;) {
      const response = await this.#cluster.send('POST', path, { json, headers });
      if (response?.status === 200) return response;
      if (response !== undefined) assert.equal(response.status, 503, response.text);
      this.repeated += 1;
      await pause(RETRY_MS);
    }
  }
}

function anyOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.whole(0, items.length - 1)] ?? assert.fail('nothing to choose from');
}
