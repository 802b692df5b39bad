import type { Random } from '../../src/demo/random.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import {
  ModelBudgets,
  type ModelCampaign,
  ModelMarket,
  type ModelMerchant,
  type ModelProduct,
  type ModelRequest,
} from './auction-model.ts';

const CURRENCIES = ['USD', 'USD', 'JPY'] as const;
const MERCHANTS = [3, 14, 15, 92, 65] as const;
const NAMES = ['Spring', 'Summer', 'Autumn'] as const;
const TYPES = ['AuctionCampaign', 'BannerCampaign'] as const;
const LEVELS = ['', 'Home', 'Garden'] as const;
const STATUSES = ['Active', 'Active', 'Active', 'Paused', 'Lifetime Budget Exhausted', 'Expired'] as const;
const CAMPAIGN_RESTS = ['daily_budget', 'lifetime_budget', null, null, null] as const;
const PRODUCT_RESTS = [
  ...(['max_daily_schedules', 'daily_budget_per_product', 'lifetime_budget_per_product'] as const),
  ...([null, null, null, null] as const),
] as const;
const MOST_CAMPAIGNS = 5;
const MOST_PRODUCTS = 8;
/** What the ledger knows of a campaign and of a product in it. */
const BUDGETS = ['daily_budget', 'lifetime_budget'] as const;

/** A small marketplace that changes at random, with a model that follows each change. */
export class RandomMarket {
  readonly competition = new Competition();
  readonly model = new ModelMarket();
  readonly #random: Random;
  #requests = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** One change of a merchant, a campaign or a product. */
  change(): void {
    const random = this.#random;
    const id = random.pick(MERCHANTS);
    const merchant = this.model.merchants.find((each) => each.id === id);
    if (merchant === undefined || random.chance(0.03)) {
      this.#changeMerchant(id, merchant);
      return;
    }
    const set = random.chance(0.35) ? this.#setCampaign : this.#setProduct;
    const changes = [
      this.#removeCampaign,
      this.#removeProduct,
      this.#restCampaign,
      this.#restProduct,
    ] as const;
    (random.chance(0.7) ? set : random.pick(changes)).call(this, id);
  }

  /** Removes all merchants. */
  empty(): void {
    for (const { id } of this.model.merchants) this.competition.removeMerchant(id);
  }

  newRequest(): ModelRequest {
    const random = this.#random;
    const currency = random.pick(CURRENCIES);
    const product = (): { merchant: number; id: number } => ({
      merchant: random.pick(MERCHANTS),
      id: random.whole(1, MOST_PRODUCTS),
    });
    const several = <Item>(most: number, one: () => Item): Item[] =>
      Array.from({ length: random.whole(1, most) }, one);
    const category = [random.pick(LEVELS), random.pick(LEVELS)].slice(0, random.pick([0, 0, 1, 2]));
    const excluded = (): ModelRequest['exclude'][number] =>
      random.chance(0.5) ? product() : { ...product(), id: null };
    this.#requests++;
    return {
      key: `request ${this.#requests}`,
      count: random.pick([1, 1, 2, 3, 20]),
      currency,
      type: random.chance(0.2) ? random.pick(TYPES) : null,
      category,
      products: random.chance(0.2) ? several(20, product) : null,
      exclude: random.chance(0.3) ? several(3, excluded) : [],
      maxPerMerchant: random.chance(0.3) ? random.whole(1, 3) : null,
      maxPerCampaign: random.chance(0.3) ? random.whole(1, 2) : null,
      floor: random.pick([0, 1, 1, 2, 4]) * (currency === 'USD' ? 100 : 10_000),
      pricing: random.chance(0.1) ? 'first' : 'second',
    };
  }

  /** What is left of some campaigns' budgets. */
  newBudgets(): ModelBudgets {
    const random = this.#random;
    const budgets = new ModelBudgets();
    const left = (name: string): void => {
      if (random.chance(0.1)) budgets.left.set(name, random.whole(0, 12) * random.pick([100, 10_000]));
    };
    for (const { id } of this.model.campaigns) {
      if (random.chance(0.05)) budgets.paced.add(id);
      for (const budget of BUDGETS) left(`${id} ${budget}`);
      for (let product = 1; product <= MOST_PRODUCTS; product++)
        for (const budget of BUDGETS) left(`${id} ${product} ${budget}_per_product`);
    }
    for (const { merchant, id } of this.model.products)
      if (random.chance(0.3)) budgets.left.set(`${merchant} ${id} placements`, random.whole(1, 3));
    return budgets;
  }

  #changeMerchant(id: number, before: ModelMerchant | undefined): void {
    const { model } = this;
    const random = this.#random;
    model.merchants = model.merchants.filter((each) => each !== before);
    const isRemoved = before !== undefined && random.chance(0.2);
    const kept = before === undefined || random.chance(0.2) ? undefined : before.currency;
    const currency = kept ?? random.pick(CURRENCIES);
    if (isRemoved || (before !== undefined && currency !== before.currency)) {
      model.campaigns = model.campaigns.filter(({ merchant }) => merchant !== id);
      model.products = model.products.filter(({ merchant }) => merchant !== id);
    }
    if (isRemoved) {
      this.competition.removeMerchant(id);
      return;
    }
    const isActive = random.chance(0.8);
    model.merchants.push({ id, currency, isActive });
    this.competition.setMerchant({ merchantId: id, currency, isActive });
  }

  #setCampaign(merchant: number): void {
    const random = this.#random;
    const id = this.#campaignId(merchant);
    const before = this.model.campaigns.find((each) => each.id === id);
    const changes = {
      name: random.pick(NAMES),
      type: random.pick(TYPES),
      status: random.pick(STATUSES),
      bid: random.chance(0.3) ? null : this.#amount(merchant),
    };
    const some = Object.entries(changes).filter(() => before === undefined || random.chance(0.4));
    const after: ModelCampaign = {
      ...(before ?? { merchant, id, ...changes, createdAt: random.whole(1, 3), rest: null }),
      ...Object.fromEntries(some),
    };
    const minor = (amount: number | null): number | null =>
      amount && Math.floor(amount / this.#minorUnit(merchant));
    if (before?.status !== after.status || minor(before.bid) !== minor(after.bid)) after.rest = null;
    this.model.campaigns = this.model.campaigns.filter((each) => each.id !== id);
    if (after.status !== 'Expired') this.model.campaigns.push(after);
    const { rest: _, merchant: merchantId, id: campaignId, ...fields } = after;
    this.competition.setCampaign({ merchantId, campaignId, ...fields });
  }

  #removeCampaign(merchant: number): void {
    const id = this.#campaignId(merchant);
    this.model.campaigns = this.model.campaigns.filter((each) => each.id !== id);
    this.competition.removeCampaign(merchant, id);
  }

  #restCampaign(merchant: number): void {
    const id = this.#campaignId(merchant);
    const rest = this.#random.pick(CAMPAIGN_RESTS);
    const campaign = this.model.campaigns.find((each) => each.id === id);
    if (campaign !== undefined) campaign.rest = rest;
    this.competition.restCampaign(merchant, id, rest);
  }

  #setProduct(merchant: number): void {
    const random = this.#random;
    const id = random.whole(1, MOST_PRODUCTS);
    const before = this.#product(merchant, id);
    const product: ModelProduct = {
      merchant,
      id,
      name: random.chance(0.05) ? null : random.pick(NAMES),
      status: random.chance(0.6) ? 'in_stock' : random.pick(productStatuses),
      category: [random.pick(LEVELS), random.pick(LEVELS)],
      fee: random.chance(0.4) ? null : this.#amount(merchant),
      max: random.chance(0.7) ? null : random.whole(0, 3),
      quality: random.chance(0.5) ? 1 : Math.fround(random.next() + 0.01),
      rest: before?.rest ?? null,
    };
    this.model.products = this.model.products.filter((each) => each !== before);
    if (product.name !== null && product.status !== 'deleted') this.model.products.push(product);
    const { name: campaignName, category, quality, fee: schedulingFeeBid, max: maxDailySchedules } = product;
    const status = productStatuses.find((each) => each === product.status) ?? 'deleted';
    const ids = { merchantId: merchant, productId: id };
    const amounts = { schedulingFeeBid, maxDailySchedules, quality };
    this.competition.setProduct({ ...ids, campaignName, status, category, ...amounts });
  }

  #removeProduct(merchant: number): void {
    const id = this.#random.whole(1, MOST_PRODUCTS);
    this.model.products = this.model.products.filter((each) => each !== this.#product(merchant, id));
    this.competition.removeProduct(merchant, id);
  }

  #restProduct(merchant: number): void {
    const id = this.#random.whole(1, MOST_PRODUCTS);
    const rest = this.#random.pick(PRODUCT_RESTS);
    const product = this.#product(merchant, id);
    if (product !== undefined) product.rest = rest;
    this.competition.restProduct(merchant, id, rest);
  }

  #product(merchant: number, id: number): ModelProduct | undefined {
    return this.model.products.find((each) => each.merchant === merchant && each.id === id);
  }

  #campaignId(merchant: number): string {
    return `${merchant}-${this.#random.whole(1, MOST_CAMPAIGNS)}`;
  }

  /** A few minor units, and sometimes a part of one. */
  #amount(merchant: number): number {
    const part = this.#random.chance(0.2) ? 0.5 : 0;
    return (this.#random.whole(0, 9) + part) * this.#minorUnit(merchant);
  }

  #minorUnit(merchant: number): number {
    return this.model.merchants.find(({ id }) => id === merchant)?.currency === 'JPY' ? 10_000 : 100;
  }
}
