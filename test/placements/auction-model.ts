/** A marketplace as the model keeps it. Amounts are in units: ten-thousandths of the major unit. */
export interface ModelMerchant {
  id: number;
  currency: 'USD' | 'JPY';
  isActive: boolean;
}

export interface ModelCampaign {
  merchant: number;
  id: string;
  name: string;
  type: string;
  status: 'Active' | 'Paused' | 'Expired' | 'Lifetime Budget Exhausted';
  bid: number | null;
  createdAt: number;
  rest: 'daily_budget' | 'lifetime_budget' | null;
}

export interface ModelProduct {
  merchant: number;
  id: number;
  name: string | null;
  status: string;
  category: readonly [string, string];
  fee: number | null;
  max: number | null;
  quality: number;
  rest: 'max_daily_schedules' | 'daily_budget_per_product' | 'lifetime_budget_per_product' | null;
}

export interface ModelRequest {
  key: string;
  count: number;
  currency: 'USD' | 'JPY';
  type: string | null;
  category: readonly string[];
  products: readonly { merchant: number; id: number }[] | null;
  exclude: readonly { merchant: number; id: number | null }[];
  maxPerMerchant: number | null;
  maxPerCampaign: number | null;
  floor: number;
  pricing: 'first' | 'second';
}

export interface ModelCandidate {
  merchant: number;
  campaign: string;
  product: number;
  bid: number;
  /** Whether all products of the campaign have this bid. */
  isShared: boolean;
  quality: number;
  score: number;
  max: number | null;
}

export interface ModelDecision {
  awards: (Pick<ModelCandidate, 'merchant' | 'campaign' | 'product' | 'bid'> & { price: number })[];
  unfilled: number;
  losers: Record<string, number>;
}

const minorUnits = { USD: 100, JPY: 10_000 };
const COMPETING = ['in_stock', 'low_inventory', 'enabled'];
const LOST = new Map([
  ['sold_out', 'out_of_stock'],
  ['problematic', 'moderated'],
  ['banned', 'moderated'],
  ['disabled', 'disabled'],
]);

/** What is left of budgets. Refuses whatever they do not cover, and campaigns that are paced. */
export class ModelBudgets {
  readonly left = new Map<string, number>();
  readonly paced = new Set<string>();

  copy(): ModelBudgets {
    const copy = new ModelBudgets();
    for (const [name, left] of this.left) copy.left.set(name, left);
    for (const name of this.paced) copy.paced.add(name);
    return copy;
  }

  refusal({ merchant, campaign, product, max }: ModelCandidate, price: number): string | undefined {
    if (this.paced.has(campaign)) return 'paced';
    const places = this.left.get(`${merchant} ${product} placements`) ?? 0;
    if (max !== null && places >= max) return 'max_daily_schedules';
    for (const name of ['daily_budget', 'lifetime_budget'])
      if ((this.left.get(`${campaign} ${name}`) ?? Number.POSITIVE_INFINITY) < price) return name;
    for (const name of ['daily_budget_per_product', 'lifetime_budget_per_product'])
      if ((this.left.get(`${campaign} ${product} ${name}`) ?? Number.POSITIVE_INFINITY) < price) return name;
    return undefined;
  }

  take({ merchant, campaign, product }: ModelCandidate, price: number): void {
    const places = `${merchant} ${product} placements`;
    this.left.set(places, (this.left.get(places) ?? 0) + 1);
    for (const name of ['daily_budget', 'lifetime_budget'])
      for (const budget of [`${campaign} ${name}`, `${campaign} ${product} ${name}_per_product`]) {
        const left = this.left.get(budget);
        if (left !== undefined) this.left.set(budget, left - price);
      }
  }
}

/** A marketplace in arrays, asked anew for each request. Shares no code with the service. */
export class ModelMarket {
  merchants: ModelMerchant[] = [];
  campaigns: ModelCampaign[] = [];
  products: ModelProduct[] = [];

  /** The campaign with a name that competes, or says why nothing does. */
  campaignOf(merchant: number, name: string | null): ModelCampaign | undefined {
    const order = ['Active', 'Paused', 'Lifetime Budget Exhausted'];
    return this.campaigns
      .filter((each) => each.merchant === merchant && each.name === name && each.status !== 'Expired')
      .sort(
        (one, other) =>
          order.indexOf(one.status) - order.indexOf(other.status) ||
          this.#minor(merchant, other.bid) - this.#minor(merchant, one.bid) ||
          one.createdAt - other.createdAt ||
          (one.id < other.id ? -1 : 1),
      )[0];
  }

  decide(request: ModelRequest, budgets: ModelBudgets): ModelDecision {
    const losers: Record<string, number> = {};
    const lose = (reason: string, count = 1): void => {
      if (count > 0) losers[reason] = (losers[reason] ?? 0) + count;
    };
    let queue: ModelCandidate[] = [];
    for (const product of this.products) {
      const found = this.#enter(product, request);
      if (typeof found === 'string') lose(found);
      else if (found !== undefined) queue.push(found);
    }
    queue.sort((one, other) => compare(one, other, request.key));
    const awards: ModelDecision['awards'] = [];
    const sitOut = (reason: string, of: (candidate: ModelCandidate) => boolean): void => {
      lose(reason, queue.filter(of).length);
      queue = queue.filter((candidate) => !of(candidate));
    };
    /** Says whether a candidate, which is not in the queue, has lost at the least price. */
    const hasLost = (candidate: ModelCandidate): boolean => {
      const { campaign, bid, isShared } = candidate;
      const isBelow = bid < request.floor;
      const reason = isBelow ? 'below_floor' : budgets.refusal(candidate, request.floor);
      if (reason === undefined) return false;
      lose(reason);
      if (isBelow ? isShared : isOfCampaign(reason)) sitOut(reason, (other) => other.campaign === campaign);
      return true;
    };
    /** The next one that could pay its bid; all before it that cannot pay the least price have lost. */
    const unable = new Set<string>();
    const findRival = (notOf: number | null): ModelCandidate | undefined => {
      for (const other of [...queue]) {
        const { merchant, campaign, bid } = other;
        if (merchant === notOf || unable.has(campaign) || !queue.includes(other)) continue;
        queue = queue.filter((each) => each !== other);
        if (hasLost(other)) continue;
        queue.push(other);
        queue.sort((one, another) => compare(one, another, request.key));
        const refusal = budgets.refusal(other, bid);
        if (refusal === undefined) return other;
        if (isOfCampaign(refusal)) unable.add(campaign);
      }
      return undefined;
    };
    const priceOf = ({ merchant, quality }: ModelCandidate): number => {
      const first = findRival(null);
      const rival = first?.merchant === merchant ? findRival(merchant) : first;
      if (rival === undefined) return request.floor;
      let bid = Math.max(0, Math.floor(rival.score / quality) - 2);
      while (bid * quality < rival.score) bid++;
      return Math.max(request.floor, bid * minorUnits[request.currency]);
    };
    while (awards.length < request.count) {
      const candidate = queue.shift();
      if (candidate === undefined) break;
      if (hasLost(candidate)) continue;
      const { merchant, campaign, product, bid } = candidate;
      const price = request.pricing === 'first' ? bid : priceOf(candidate);
      const refusal = budgets.refusal(candidate, price);
      if (refusal !== undefined) {
        lose(refusal);
        if (isOfCampaign(refusal)) sitOut(refusal, (other) => other.campaign === campaign);
        continue;
      }
      budgets.take(candidate, price);
      awards.push({ merchant, campaign, product, bid, price });
      if (awards.filter((award) => award.merchant === merchant).length === request.maxPerMerchant)
        sitOut('over_max_per_merchant', (other) => other.merchant === merchant);
      if (awards.filter((award) => award.campaign === campaign).length === request.maxPerCampaign)
        sitOut('over_max_per_merchant', (other) => other.campaign === campaign);
    }
    lose('outbid', queue.length);
    return { awards, unfilled: request.count - awards.length, losers };
  }

  /** Undefined if a product is no candidate; a reason if it has lost from the start. */
  #enter(product: ModelProduct, request: ModelRequest): ModelCandidate | string | undefined {
    const { merchant: merchantId, id, category, fee, quality, max } = product;
    const merchant = this.merchants.find((each) => each.id === merchantId);
    const campaign = this.campaignOf(merchantId, product.name);
    if (merchant === undefined || campaign === undefined || product.status === 'deleted') return undefined;
    if (!merchant.isActive || merchant.currency !== request.currency) return undefined;
    if (request.type !== null && request.type !== campaign.type) return undefined;
    if (request.category.some((level, index) => level !== category[index])) return undefined;
    const { products, exclude } = request;
    if (products !== null && !products.some((each) => each.merchant === merchantId && each.id === id))
      return undefined;
    if (exclude.some((each) => each.merchant === merchantId && (each.id === null || each.id === id)))
      return undefined;
    if (!COMPETING.includes(product.status)) return LOST.get(product.status);
    const own = campaign.bid ?? fee;
    if (own === null) return 'no_bid';
    if (product.rest !== null) return product.rest;
    if (campaign.status === 'Paused') return 'paused';
    if (campaign.status === 'Lifetime Budget Exhausted') return 'lifetime_budget';
    if (campaign.rest !== null) return campaign.rest;
    const minor = this.#minor(merchantId, own);
    const bid = minor * minorUnits[merchant.currency];
    const isShared = campaign.bid !== null;
    const score = minor * quality;
    return { merchant: merchantId, campaign: campaign.id, product: id, bid, isShared, quality, score, max };
  }

  /** -1 for no bid. */
  #minor(merchant: number, amount: number | null): number {
    const { currency } = this.merchants.find((each) => each.id === merchant) ?? { currency: 'USD' };
    return amount === null ? -1 : Math.floor(amount / minorUnits[currency]);
  }
}

function isOfCampaign(reason: string): boolean {
  return ['daily_budget', 'lifetime_budget', 'paced'].includes(reason);
}

/** By score, then by lot between merchants, then in circles of campaigns and of products. */
function compare(one: ModelCandidate, other: ModelCandidate, key: string): number {
  const seed = textHash(key);
  const lot = ({ merchant }: ModelCandidate): number => numberHash((numberHash(merchant) ^ seed) >>> 0);
  const place = (hash: number, salt: number): number =>
    (hash - numberHash((seed ^ salt) >>> 0) + 2 ** 32) % 2 ** 32;
  const campaign = (of: ModelCandidate): number => place(textHash(of.campaign), 0x5bd1e995);
  const product = (of: ModelCandidate): number => place(numberHash(of.product), 0x1b873593);
  return (
    other.score - one.score ||
    lot(one) - lot(other) ||
    campaign(one) - campaign(other) ||
    product(one) - product(other)
  );
}

function textHash(text: string): number {
  let hash = 2_166_136_261n;
  for (const unit of text.split(''))
    hash = BigInt.asUintN(32, (hash ^ BigInt(unit.charCodeAt(0))) * 16_777_619n);
  return numberHash(Number(hash));
}

function numberHash(value: number): number {
  let hash = BigInt(value);
  hash = BigInt.asUintN(32, (hash ^ (hash >> 16n)) * 0x21f0aaadn);
  hash = BigInt.asUintN(32, (hash ^ (hash >> 15n)) * 0x735a2d97n);
  return Number(hash ^ (hash >> 15n));
}
