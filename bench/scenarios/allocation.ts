import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Random } from '../../src/demo/random.ts';
import type { CompetingCampaign, CompetingProduct } from '../../src/placements/competition/competing.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import type { CompetitionRequest } from '../../src/placements/competition/entrants.ts';
import { type Decision, decide, type Judge } from '../../src/placements/decide/decide.ts';
import type { Engine } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';

const MERCHANTS = 1_000;
const CAMPAIGNS_EACH = 100;
const PRODUCTS_PER_CAMPAIGN = 10;
const [LEVELS_1, LEVELS_2] = [20, 10];
const REQUESTS = 1_000;
/** Of all products: each takes longer. */
const UNFILTERED = 50;
const CHANGES_PER_SECOND = 200;
const SEED = 28;
/** One in so many campaigns sits out a request. */
const PACED = 10;
const CENT = 100;

/** What the products of a marketplace have in common. */
interface Kind {
  name: string;
  /** Whether all bids and qualities are equal. */
  isTied: boolean;
}

/**
 * Measures the memory of who competes, how long it takes to build, and one request of ten places beside 200
 * changes a second. Uses no database.
 */
export async function allocation(_engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const merchants = short ? MERCHANTS / 10 : MERCHANTS;
  const figures: Figure[] = [];
  for (const kind of [
    { name: 'different scores', isTied: false },
    { name: 'equal scores', isTied: true },
  ])
    figures.push(...measure(merchants, kind));
  return figures;
}

function measure(merchants: number, kind: Kind): Figure[] {
  const random = new Random(SEED);
  const memory = memoryMeter();
  // Compiles what is measured.
  build(2, random, kind);
  const before = memory();
  const started = performance.now();
  const ranBefore = processorTime();
  const competition = build(merchants, random, kind);
  const seconds = (performance.now() - started) / 1_000;
  const ran = `${((processorTime() - ranBefore) / 1_000).toFixed(1)} s of the processor`;
  const bytes = (memory() - before) / competition.size;
  const products = `${competition.size.toLocaleString('en')} products, ${kind.name}`;
  const figures: Figure[] = [
    { name: `seconds to build: ${products}`, ...measured([seconds]), bound: { atMost: 10 }, notes: ran },
  ];
  if (!kind.isTied)
    figures.push({
      name: `bytes a product: ${products}`,
      ...measured([bytes]),
      bound: { atMost: 150 },
      notes: '',
    });
  for (const [filter, levels] of [
    ['two levels', 2],
    ['one level', 1],
    ['no category', 0],
  ] as const) {
    const ranUntil = processorTime();
    const times = timeRequests(competition, { merchants, random, kind, levels });
    const processor = (processorTime() - ranUntil) / times.length;
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
    for (const [percentile, share, atMost] of [
      ['p50', 0.5, 3],
      ['p99', 0.99, 10],
    ] as const)
      figures.push({
        name: `request, ${filter}, ${percentile} in ms: ${kind.name}`,
        ...measured([at(share)]),
        bound: levels === 0 ? null : { atMost },
        notes: `longest ${at(1).toFixed(1)} ms; ${processor.toFixed(2)} ms of the processor each`,
      });
  }
  return figures;
}

function build(merchants: number, random: Random, kind: Kind): Competition {
  const competition = new Competition();
  for (let merchantId = 1; merchantId <= merchants; merchantId++) {
    competition.setMerchant({ merchantId, currency: 'USD', isActive: true });
    for (let campaign = 0; campaign < CAMPAIGNS_EACH; campaign++)
      competition.setCampaign(newCampaign({ merchantId, campaign, random, kind }));
    for (let product = 1; product <= CAMPAIGNS_EACH * PRODUCTS_PER_CAMPAIGN; product++)
      competition.setProduct(newProduct({ merchantId, product, random, kind }));
  }
  return competition;
}

/** Returns the milliseconds of each request, with the changes that are due before it. */
function timeRequests(
  competition: Competition,
  { merchants, random, kind, levels }: { merchants: number; random: Random; kind: Kind; levels: number },
): number[] {
  const times: number[] = [];
  let due = performance.now();
  for (let index = 0; index < (levels === 0 ? UNFILTERED : REQUESTS); index++) {
    const request: CompetitionRequest = {
      key: `request ${index}`,
      currency: 'USD',
      type: 'AuctionCampaign',
      category: randomCategory(random).slice(0, levels),
      products: null,
      exclude: [],
    };
    const started = performance.now();
    for (; due <= started; due += 1_000 / CHANGES_PER_SECOND)
      change(competition, { merchants, random, kind });
    answer(competition, request);
    times.push(performance.now() - started);
  }
  return times;
}

function answer(competition: Competition, request: CompetitionRequest): Decision {
  const judge: Judge = {
    refusal: ({ campaignId }) => (Number.parseInt(campaignId, 16) % PACED === 0 ? 'paced' : undefined),
    take: () => {},
  };
  const places = { count: 10, floor: CENT, maxPerMerchant: 2, maxPerCampaign: null };
  return decide(places, competition.rank(request), judge, { pricing: 'second', minorUnit: CENT });
}

function change(
  competition: Competition,
  { merchants, random, kind }: { merchants: number; random: Random; kind: Kind },
): void {
  const merchantId = random.whole(1, merchants);
  const campaign = random.whole(0, CAMPAIGNS_EACH - 1);
  const product = random.whole(1, CAMPAIGNS_EACH * PRODUCTS_PER_CAMPAIGN);
  if (random.chance(0.5)) {
    const status = random.chance(0.3) ? 'sold_out' : 'in_stock';
    competition.setProduct({ ...newProduct({ merchantId, product, random, kind }), status });
  } else {
    const status = random.chance(0.3) ? 'Paused' : 'Active';
    competition.setCampaign({ ...newCampaign({ merchantId, campaign, random, kind }), status });
  }
}

function newCampaign({
  merchantId,
  campaign,
  random,
  kind,
}: {
  merchantId: number;
  campaign: number;
  random: Random;
  kind: Kind;
}): CompetingCampaign {
  const number = (merchantId * CAMPAIGNS_EACH + campaign).toString(16).padStart(8, '0');
  return {
    merchantId,
    // As it comes from a database: not as the parts of which it is made.
    campaignId: Buffer.from(`${number}-6b1c-7d0a-9f57-2c8e4d1b7a90`).toString('latin1'),
    name: `Campaign ${campaign}`,
    type: 'AuctionCampaign',
    status: 'Active',
    bid: kind.isTied ? 50 * CENT : random.whole(1, 200) * CENT,
    createdAt: campaign,
  };
}

function newProduct({
  merchantId,
  product,
  random,
  kind,
}: {
  merchantId: number;
  product: number;
  random: Random;
  kind: Kind;
}): CompetingProduct {
  return {
    merchantId,
    productId: product,
    campaignName: `Campaign ${product % CAMPAIGNS_EACH}`,
    status: 'in_stock',
    category: randomCategory(random),
    schedulingFeeBid: null,
    maxDailySchedules: null,
    quality: kind.isTied ? 1 : 0.01 + random.next() * 0.2,
  };
}

function randomCategory(random: Random): [string, string] {
  return [`Level ${random.whole(1, LEVELS_1)}`, `Level ${random.whole(1, LEVELS_2)}`];
}

/** Returns a function that returns the bytes in use after a garbage collection. */
function memoryMeter(): () => number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return () => {
    if (typeof collect === 'function') collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
}

/** Milliseconds that this process has run. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
