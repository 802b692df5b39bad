import assert from 'node:assert/strict';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { Random } from '../../src/demo/random.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import type { FactDraft } from '../../src/placements/facts/fact-draft.ts';
import { reportOutcomes } from '../../src/placements/outcomes/report-outcomes.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { BID, reservePlaces } from '../placements/placements-support.ts';
import { draft, importDrafts, importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import type { TestMerchant, TestService } from '../support/service.ts';

const PRODUCTS = ['A', 'B-1', 'é'] as const;
const outcomes = ['delivered', 'released', undefined] as const;
const NAMES = ['Spring & sale', 'Summer'] as const;

/** A merchant with schedules, placements and orders of the last weeks, many of them next to a midnight. */
export class RandomShop {
  readonly merchant: TestMerchant;
  readonly campaigns: string[] = [];
  readonly #service: TestService;
  readonly #random: Random;
  readonly #timeZone: string;
  /** Of the campaigns that the products are in. */
  readonly #names: (typeof NAMES)[number][] = [];
  #ids = 0;

  private constructor(service: TestService, random: Random, merchant: TestMerchant, timeZone: string) {
    this.#service = service;
    this.#random = random;
    this.merchant = merchant;
    this.#timeZone = timeZone;
  }

  /** Lets time pass until a few days after the next change of the clocks, if the time zone has any. */
  static async open(service: TestService, random: Random, timeZone: string): Promise<RandomShop> {
    const now = Temporal.Instant.fromEpochMilliseconds(service.now()).toZonedDateTimeISO(timeZone);
    const change = now.getTimeZoneTransition('next');
    if (change !== null)
      service.passTime(change.add({ days: random.whole(1, 5) }).epochMilliseconds - service.now());
    const shop = new RandomShop(service, random, await service.newMerchant(timeZone), timeZone);
    await shop.#addProducts();
    await shop.#addCampaigns();
    return shop;
  }

  /** Adds lines of every kind. */
  async trade(): Promise<void> {
    const facts = Array.from({ length: 30 }, () => this.#fact());
    const imported = await importFactDrafts(this.#service, this.merchant, [facts]);
    assert.deepEqual(imported.rejections, []);
    const ofFacts = facts.filter(() => this.#random.chance(0.6)).map((fact) => this.#scheduleOf(fact));
    const others = Array.from({ length: 50 }, () => this.#schedule());
    const schedules = await importScheduleDrafts(this.#service, this.merchant, [[...ofFacts, ...others]]);
    assert.deepEqual(schedules.rejections, []);
    await pushDrafts(
      this.#service,
      this.merchant,
      Array.from({ length: 12 }, () => this.#order()),
    );
    await this.#reserve();
  }

  async #addProducts(): Promise<void> {
    const named = PRODUCTS.map((identifier) => {
      const name = this.#random.pick(NAMES);
      this.#names.push(name);
      return draft(identifier, { campaign_name: name, cost_basis: 12.34, available_quantity: 9, ...BID });
    });
    const deleted = draft('gone', { campaign_name: NAMES[0], status: 'deleted' });
    const { rejections } = await importDrafts(this.#service, this.merchant, [[...named, deleted]]);
    assert.deepEqual(rejections, []);
  }

  async #addCampaigns(): Promise<void> {
    for (const name of NAMES) {
      const headers = { authorization: `Bearer ${this.merchant.token}` };
      const json = { name, type: 'AuctionCampaign' };
      const response = await this.#service.request('POST', '/campaigns', { json, headers });
      this.campaigns.push(response.json<{ internal_id: string }>().internal_id);
    }
  }

  async #reserve(): Promise<void> {
    const caller = { merchantId: this.merchant.id, who: SERVICE, lowBudget: 80 };
    const won = Array.from({ length: 9 }, () => {
      const product = this.#random.whole(1, PRODUCTS.length);
      const campaign = this.campaigns[NAMES.findIndex((name) => name === this.#names[product - 1])] ?? '';
      return { campaign, product, price: this.#random.whole(1, 200) };
    });
    const placements = await reservePlaces(this.#service, this.merchant, won);
    const reports = placements.flatMap((placement_id) => {
      assert.ok(typeof placement_id === 'string', `not reserved: ${JSON.stringify(placement_id)}`);
      const outcome = this.#random.pick(outcomes);
      return outcome === undefined ? [] : [{ placement_id, outcome, at: this.#service.now() }];
    });
    await runVerb(this.#service, caller, reportOutcomes, { outcomes: reports });
  }

  #fact(): FactDraft {
    return {
      merchant: null,
      placement_id: this.#id(),
      campaign_id: this.#campaign(),
      product_identifier: this.#random.pick(PRODUCTS),
      delivered_at: this.#time(6),
      price: 100 * this.#random.whole(0, 300),
    };
  }

  #scheduleOf({ placement_id, product_identifier, delivered_at }: FactDraft): ScheduleDraft {
    return {
      ...this.#schedule(),
      schedule_id: placement_id,
      product_identifier,
      scheduled_at: delivered_at,
    };
  }

  #schedule(): ScheduleDraft {
    const sold = this.#random.chance(0.5);
    return {
      merchant: null,
      schedule_id: this.#id(),
      product_identifier: this.#random.pick(PRODUCTS),
      scheduled_at: this.#time(40),
      sold,
      sale_price: sold ? this.#random.whole(0, 5_000) : null,
      rating: sold && this.#random.chance(0.5) ? this.#random.whole(0, 500) : null,
    };
  }

  #order(): OrderDraft {
    const isCanceled = this.#random.chance(0.3);
    return orderDraft(this.#id(), {
      product_identifier: this.#random.pick(PRODUCTS),
      paid_at: this.#time(40),
      seller_fees: [{ type: 'commission', amount: this.#random.whole(0, 999) }],
      ...(isCanceled && { status: 'canceled' }),
    });
  }

  #campaign(): string {
    return this.#random.pick([this.campaigns[0] ?? '', this.campaigns[1] ?? '']);
  }

  #id(): string {
    this.#ids += 1;
    return `${this.merchant.id}:${this.#ids}`;
  }

  /** Up to some days ago: at any time, or next to the beginning of a day. */
  #time(days: number): number {
    const now = Temporal.Instant.fromEpochMilliseconds(this.#service.now());
    const day = now.toZonedDateTimeISO(this.#timeZone).subtract({ days: this.#random.whole(0, days) });
    if (this.#random.chance(0.5)) return day.startOfDay().epochMilliseconds + this.#random.whole(-1, 1);
    return Math.max(
      day.startOfDay().epochMilliseconds,
      day.epochMilliseconds - this.#random.whole(0, 86_400_000),
    );
  }
}
