import assert from 'node:assert/strict';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { Random } from '../../src/demo/random.ts';
import type { RequestRecord, SentRequest } from '../../src/placements/reserve/auction.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { ModelBudgets, type ModelCandidate, ModelMarket, type ModelRequest } from './auction-model.ts';
import { ModelLedger } from './model.ts';

const NAMES = ['Spring', 'Summer'] as const;
const TYPES = ['AuctionCampaign', 'BannerCampaign'] as const;
const LEVELS = ['Home', 'Garden'] as const;
const ZONES = ['Pacific/Auckland', 'America/New_York', 'Asia/Tokyo', 'UTC'] as const;
const CURRENCIES = ['USD', 'USD', 'USD', 'JPY'] as const;
const PRODUCTS = ['A', 'B', 'C', 'D'] as const;
const MINUTE_MS = 60_000;
const DAY_S = 86_400;
/** In units, as all amounts here. */
const MINOR = { USD: 100, JPY: 10_000 };
const budgetNames = {
  daily: 'daily_budget',
  dailyPerProduct: 'daily_budget_per_product',
  lifetime: 'lifetime_budget',
  lifetimePerProduct: 'lifetime_budget_per_product',
} as const;

interface Shop {
  merchant: TestMerchant;
  zone: string;
  currency: 'USD' | 'JPY';
}

/** A marketplace that changes at random through the API, with a model that keeps everything in arrays. */
export class Marketplace {
  readonly market = new ModelMarket();
  readonly ledger = new ModelLedger();
  readonly #service: TestService;
  readonly #random: Random;
  readonly #shops: Shop[] = [];
  readonly #operatorToken: string;
  #requests = 0;

  private constructor(service: TestService, random: Random, operatorToken: string) {
    this.#service = service;
    this.#random = random;
    this.#operatorToken = operatorToken;
  }

  static async open(service: TestService, random: Random): Promise<Marketplace> {
    const marketplace = new Marketplace(service, random, await service.newOperatorToken());
    for (const [index, zone] of ZONES.entries()) await marketplace.#addShop(zone, CURRENCIES[index] ?? 'USD');
    return marketplace;
  }

  /** Changes some campaigns and products, and lets some time pass. */
  async change(): Promise<void> {
    const random = this.#random;
    await this.#readCampaigns();
    for (const shop of this.#shops) {
      if (random.chance(0.5)) await this.#changeProduct(shop, random.pick(PRODUCTS));
      if (random.chance(0.6)) await this.#changeCampaign(shop);
    }
    this.#service.passTime(random.whole(0, 6 * 60) * MINUTE_MS);
    await this.#readCampaigns();
  }

  /** Reads what deliveries made of the status of campaigns: other tests are about that. */
  async #readCampaigns(): Promise<void> {
    this.market.campaigns = [];
    for (const { merchant } of this.#shops) {
      const listed = await this.#service.get('/campaigns', merchant, { per_page: '1000' });
      for (const campaign of listed.json<Campaign[]>()) {
        const { internal_id: id, name, type, status, bid_amount } = campaign;
        const bid = bid_amount === null ? null : units(bid_amount);
        // Their IDs are in the order of their creation.
        const rest = { createdAt: 0, rest: null };
        this.market.campaigns.push({ merchant: merchant.id, id, name, type, status, bid, ...rest });
        this.#budgets.set(id, budgetsOf(campaign));
      }
    }
  }

  /** A request as it is sent, and as the model gets it. */
  newRequest(): { sent: SentRequest; request: ModelRequest } {
    const random = this.#random;
    const currency = random.pick(['USD', 'USD', 'JPY'] as const);
    const category = random.chance(0.5) ? [random.pick(LEVELS)] : [];
    const type = random.chance(0.2) ? random.pick(TYPES) : null;
    const maxPerMerchant = random.chance(0.3) ? random.whole(1, 2) : null;
    const maxPerCampaign = random.chance(0.3) ? 1 : null;
    const floor = random.pick([1, 1, 2, 3]) * MINOR[currency];
    const count = random.pick([1, 1, 2, 4]);
    this.#requests += 1;
    const key = `request ${this.#requests}`;
    return {
      request: {
        ...{ key, count, currency, type, category, products: null, exclude: [] },
        ...{ maxPerMerchant, maxPerCampaign, floor, pricing: 'second' },
      },
      sent: {
        ...{ key, count, currency, floor: floor / 10_000, hold: DAY_S },
        ...(type !== null && { type }),
        ...(category.length > 0 && { category }),
        ...(maxPerMerchant !== null && { max_per_merchant: maxPerMerchant }),
        ...(maxPerCampaign !== null && { max_per_campaign: maxPerCampaign }),
      },
    };
  }

  /** What the model gives, in the form of a response. */
  decide(request: ModelRequest): Pick<RequestRecord, 'unfilled' | 'losers'> & { placements: object[] } {
    const { awards, unfilled, losers } = this.market.decide(request, new LedgerBudgets(this));
    const placements = awards.map(({ merchant, campaign, product, bid, price }) => ({
      merchant: String(merchant),
      product_identifier: PRODUCTS[product - 1],
      campaign_id: campaign,
      bid: bid / 10_000,
      price: price / 10_000,
    }));
    return { placements, unfilled, losers };
  }

  /** Notes what a request got. */
  note({ placements }: RequestRecord): void {
    for (const { placement_id: id, merchant, campaign_id, product_identifier, price } of placements) {
      const day = this.#today(Number(merchant));
      const product = `${merchant} ${numberOf(product_identifier)}`;
      const kept = { expiresAt: this.#service.now() + DAY_S * 1_000, late: false, isFact: false };
      const placement = { id, campaign: campaign_id, product, day, price: units(price), ...kept };
      this.ledger.placements.set(id, { ...placement, state: 'reserved' });
    }
  }

  /** Reports the outcomes of some reserved placements, and of all that would expire soon. */
  async report(): Promise<void> {
    const soon = this.#service.now() + DAY_S * 500;
    const reserved = this.ledger
      .of({ state: 'reserved' })
      .filter(({ expiresAt }) => expiresAt < soon || this.#random.chance(0.5));
    const outcomes = reserved.slice(0, 500).map(({ id }) => ({
      placement_id: id,
      outcome: this.#random.pick(['delivered', 'delivered', 'released'] as const),
    }));
    if (outcomes.length === 0) return;
    const response = await this.#service.operator('POST', '/placements/outcomes', this.#operatorToken, {
      json: outcomes,
    });
    assert.equal(response.json<{ updated: number }>().updated, outcomes.length, response.text);
    for (const { placement_id, outcome } of outcomes) {
      const placement = this.ledger.placements.get(placement_id);
      if (placement !== undefined) placement.state = outcome;
    }
  }

  /** What a candidate's place would count against. */
  placeOf({ merchant, campaign, product }: ModelCandidate) {
    const budgets = this.#budgets.get(campaign) ?? assert.fail();
    return {
      campaign: { id: campaign, ...budgets },
      product: `${merchant} ${product}`,
      day: this.#today(merchant),
    };
  }

  readonly #budgets = new Map<string, ReturnType<typeof budgetsOf>>();

  #today(merchant: number): string {
    const { zone = 'UTC' } = this.#shops.find((shop) => shop.merchant.id === merchant) ?? {};
    const now = Temporal.Instant.fromEpochMilliseconds(this.#service.now());
    return now.toZonedDateTimeISO(zone).toPlainDate().toString();
  }

  async #addShop(zone: string, currency: 'USD' | 'JPY'): Promise<void> {
    const merchant = await this.#service.newMerchant(zone);
    const shop = { merchant, zone, currency };
    if (currency !== 'USD') {
      const current = await this.#service.operator('GET', `/merchants/${merchant.id}`, this.#operatorToken);
      const { name, time_zone } = current.json<{ name: string; time_zone: string }>();
      const json = { name, time_zone, currency };
      const changed = await this.#service.operator('PUT', `/merchants/${merchant.id}`, this.#operatorToken, {
        json,
      });
      assert.equal(changed.status, 200, changed.text);
    }
    this.#shops.push(shop);
    this.market.merchants.push({ id: merchant.id, currency, isActive: true });
    for (const name of [...NAMES, NAMES[0]]) await this.#createCampaign(shop, name);
    for (const product of PRODUCTS) await this.#changeProduct(shop, product);
  }

  async #createCampaign(shop: Shop, name: string): Promise<void> {
    const json = { name, type: this.#random.pick(TYPES), ...this.#amounts(shop) };
    await this.#call(
      shop,
      '/campaigns',
      Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null)),
    );
  }

  async #changeCampaign(shop: Shop): Promise<void> {
    const random = this.#random;
    const own = this.market.campaigns.filter(({ merchant }) => merchant === shop.merchant.id);
    const campaign = own[random.whole(0, own.length - 1)];
    if (campaign === undefined) return;
    const { id: internal_id, status } = campaign;
    if (random.chance(0.3) && status !== 'Lifetime Budget Exhausted')
      await this.#call(shop, `/campaigns/${status === 'Paused' ? 'resume' : 'pause'}`, { internal_id });
    else await this.#call(shop, '/campaigns/update', { internal_id, ...this.#amounts(shop) });
  }

  /** Few minor units, so that many bids are equal, and budgets are soon spent. */
  #amounts({ currency }: Shop): Record<string, number | null> {
    const random = this.#random;
    const amount = (most: number): number => (random.whole(1, most) * MINOR[currency]) / 10_000;
    const orNull = (most: number): number | null => (random.chance(0.4) ? null : amount(most));
    return {
      bid_amount: random.chance(0.3) ? null : amount(6),
      daily_budget: orNull(20),
      daily_budget_per_product: orNull(10),
      lifetime_budget: orNull(60),
      lifetime_budget_per_product: orNull(30),
    };
  }

  async #changeProduct({ merchant, currency }: Shop, identifier: (typeof PRODUCTS)[number]): Promise<void> {
    const random = this.#random;
    const id = PRODUCTS.indexOf(identifier) + 1;
    const name = random.chance(0.1) ? null : random.pick(NAMES);
    const category = random.pick(LEVELS);
    const quantity = random.chance(0.8) ? 9 : 0;
    const fee = random.chance(0.4) ? null : random.whole(1, 6) * MINOR[currency];
    const max = random.chance(0.7) ? null : random.whole(1, 3);
    const fields = {
      ...{ campaign_name: name, category, available_quantity: quantity, max_daily_schedules: max },
      scheduling_fee_bid: fee === null ? null : fee / 10_000,
    };
    const { rejections } = await importDrafts(this.#service, merchant, [[draft(identifier, fields)]]);
    assert.deepEqual(rejections, []);
    const { products } = this.market;
    this.market.products = products.filter((each) => each.merchant !== merchant.id || each.id !== id);
    const status = quantity === 0 ? 'sold_out' : 'in_stock';
    const known = { category: [category, ''] as const, fee, max, quality: 1, rest: null };
    this.market.products.push({ merchant: merchant.id, id, name, status, ...known });
  }

  async #call({ merchant: { token } }: Shop, path: string, json: object): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await this.#service.request('POST', path, { json, headers });
    assert.equal(response.status, 200, response.text);
  }
}

/** Judges by all placements that were ever given, added up anew for each question. */
class LedgerBudgets extends ModelBudgets {
  readonly #marketplace: Marketplace;
  /** What the present request has taken. */
  readonly #taken = new ModelLedger();

  constructor(marketplace: Marketplace) {
    super();
    this.#marketplace = marketplace;
    for (const [id, placement] of marketplace.ledger.placements) this.#taken.placements.set(id, placement);
  }

  override refusal(candidate: ModelCandidate, price: number): string | undefined {
    const { campaign, product, day } = this.#marketplace.placeOf(candidate);
    const placed = this.#taken.of({ product, day }).filter(({ state }) => state !== 'released').length;
    if (candidate.max !== null && placed >= candidate.max) return 'max_daily_schedules';
    return this.#taken.exceeded(campaign, { product, day, price });
  }

  override take(candidate: ModelCandidate, price: number): void {
    const { campaign, product, day } = this.#marketplace.placeOf(candidate);
    const id = `taken ${this.#taken.placements.size}`;
    const kept = { expiresAt: Number.POSITIVE_INFINITY, late: false, isFact: false };
    const placement = { id, campaign: campaign.id, product, day, price, ...kept };
    this.#taken.placements.set(id, { ...placement, state: 'reserved' });
  }
}

function budgetsOf(campaign: Campaign) {
  const of = (name: (typeof budgetNames)[keyof typeof budgetNames]): number | null => {
    const amount = campaign[name];
    return amount === null ? null : units(amount);
  };
  const { daily, dailyPerProduct, lifetime, lifetimePerProduct } = budgetNames;
  return {
    daily: of(daily),
    dailyPerProduct: of(dailyPerProduct),
    lifetime: of(lifetime),
    lifetimePerProduct: of(lifetimePerProduct),
  };
}

function units(amount: number): number {
  return Math.round(amount * 10_000);
}

/** The internal ID of a product. */
function numberOf(identifier: string): number {
  return PRODUCTS.indexOf(identifier as (typeof PRODUCTS)[number]) + 1;
}
