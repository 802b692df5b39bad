import { minorUnitOf } from '../../shared/amounts.ts';
import type { Ranking } from '../decide/ranking.ts';
import type { CompetingCampaign, CompetingMerchant, CompetingProduct } from './competing.ts';
import type { CompetitionRequest } from './entrants.ts';
import { choose, type Group, type KnownCampaign, type Merchant, orderOf } from './groups.ts';
import { NONE } from './ordered-trees.ts';
import { rank } from './rank.ts';
import { Seats } from './seats.ts';
import {
  type CampaignRest,
  COMPETES,
  type ProductRest,
  standingFor,
  standingOfCampaign,
  standingOfProduct,
} from './standings.ts';
import { type Bucket, Tables } from './tables.ts';
import { hashOf } from './turns.ts';

/** The largest amount that a column holds, in minor units. */
const MOST = 2 ** 32 - 2;

/**
 * Who competes, in memory: the products of all merchants that are in a campaign. It knows nothing of budgets.
 *
 * A change of a product, or of the bid or the status of a campaign, takes microseconds, however many products
 * the campaign has. Other changes of campaigns, such as names and types, and of merchants touch each of their
 * products or stalls. Changes may come in any order and repeatedly, but a merchant before what it owns.
 */
export class Competition {
  readonly #tables = new Tables();
  readonly #seats = new Seats(this.#tables);
  readonly #merchants = new Map<number, Merchant>();

  /** The number of products that are kept, including those that cannot win at present. */
  get size(): number {
    return this.#tables.products.rows.size;
  }

  /**
   * Adds or changes a merchant. “Test sides never compete with live ones”: they are ignored. If the currency
   * changes, the merchant's campaigns and products are removed and have to be set again.
   */
  setMerchant({ merchantId, currency, isActive }: CompetingMerchant): void {
    if (merchantId < 0) return;
    const before = this.#merchants.get(merchantId);
    if (before?.currency === currency) {
      this.#seats.setActive(before, isActive);
      return;
    }
    this.removeMerchant(merchantId);
    const merchant = {
      id: merchantId,
      currency,
      minorUnit: minorUnitOf(currency),
      isActive,
      groups: new Map<string, Group>(),
      campaigns: new Map<string, KnownCampaign>(),
      firstStall: NONE,
    };
    const added = this.#tables.merchants.add((number) => ({ number, ...merchant }));
    this.#merchants.set(merchantId, added);
  }

  /** Removes a merchant with its campaigns and products. */
  removeMerchant(merchantId: number): void {
    for (const _ of this.removal(merchantId));
  }

  /**
   * Removes a merchant, which does not compete from the beginning. Yields after each product; nothing may be
   * added to the merchant until the end.
   */
  *removal(merchantId: number): Generator<void> {
    const merchant = this.#merchants.get(merchantId);
    if (merchant === undefined) return;
    this.#seats.setActive(merchant, false);
    const { products, runs } = this.#tables;
    for (const group of merchant.groups.values()) {
      while (group.firstRun !== NONE) {
        this.#remove(products.trees.first(runs.products[group.firstRun] ?? NONE));
        yield;
      }
    }
    for (const group of merchant.groups.values()) this.#tables.groups.remove(group.number);
    this.#tables.merchants.remove(merchant.number);
    this.#merchants.delete(merchantId);
  }

  /** Adds or changes a campaign. An expired one is removed. A change of its status or bid ends its rest. */
  setCampaign(change: CompetingCampaign): void {
    const { merchantId, campaignId: id, name, type, bid, createdAt } = change;
    const merchant = this.#owner(merchantId);
    if (merchant === undefined) return;
    const standing = standingOfCampaign(change.status);
    if (standing === undefined) {
      this.removeCampaign(merchantId, id);
      return;
    }
    const before = merchant.campaigns.get(id);
    const minorBid = bid === null ? null : wholeMinorUnits(bid, merchant);
    const isSame = before?.standing === standing && before.bid === minorBid;
    const rest = isSame ? before.rest : COMPETES;
    const group = this.#group(merchant, name);
    if (before !== undefined && before.group !== group) this.removeCampaign(merchantId, id);
    else if (before !== undefined) removeFrom(group, before);
    const next = group.firstCampaign;
    const campaign: KnownCampaign = { id, group, next, type, standing, rest, bid: minorBid, createdAt };
    group.firstCampaign = campaign;
    merchant.campaigns.set(id, campaign);
    this.#choose(group);
  }

  removeCampaign(merchantId: number, campaignId: string): void {
    const merchant = this.#owner(merchantId);
    const campaign = merchant?.campaigns.get(campaignId);
    if (merchant === undefined || campaign === undefined) return;
    merchant.campaigns.delete(campaignId);
    removeFrom(campaign.group, campaign);
    this.#choose(campaign.group);
    this.#removeIfEmpty(campaign.group);
  }

  /** Adds or changes a product. It is removed if it is deleted or not in a campaign. */
  setProduct(change: CompetingProduct): void {
    const { merchantId, productId, campaignName, quality } = change;
    const merchant = this.#owner(merchantId);
    if (merchant === undefined) return;
    const standing = standingOfProduct(change.status);
    if (campaignName === null || standing === undefined) {
      this.removeProduct(merchantId, productId);
      return;
    }
    if (!(quality > 0 && quality < Number.POSITIVE_INFINITY))
      throw new RangeError(`the quality of product ${productId} is ${quality}: expected a number above 0`);
    const { products, productLookup } = this.#tables;
    const group = this.#group(merchant, campaignName);
    const found = productLookup.find(merchant.number, productId);
    const left = found === NONE ? undefined : this.#tables.groupOf(products.run[found] ?? NONE);
    if (found !== NONE) this.#seats.unseat(found);
    const product = found === NONE ? products.rows.take() : found;
    const { schedulingFeeBid: bid, maxDailySchedules: maxDaily } = change;
    products.id[product] = productId;
    products.quality[product] = quality;
    products.bid[product] = bid === null ? 0 : Math.min(wholeMinorUnits(bid, merchant), MOST) + 1;
    products.maxDaily[product] = maxDaily === null ? 0 : Math.min(maxDaily, MOST) + 1;
    products.status[product] = standing;
    if (found === NONE) products.rest[product] = COMPETES;
    this.#seats.seat(product, this.#seats.runOf(group, this.#bucket(group, change.category)));
    if (found === NONE) productLookup.add(product);
    if (left !== undefined && left !== group) this.#removeIfEmpty(left);
  }

  removeProduct(merchantId: number, productId: number): void {
    const merchant = this.#owner(merchantId);
    if (merchant === undefined) return;
    const product = this.#tables.productLookup.find(merchant.number, productId);
    if (product === NONE) return;
    const group = this.#tables.groupOf(this.#tables.products.run[product] ?? NONE);
    this.#remove(product);
    this.#removeIfEmpty(group);
  }

  /**
   * Lets a campaign sit out, for example until its next day, or compete again (null). Only for speed: without
   * it, a campaign whose budget is spent is asked about, and refused by the judge, in every request. Whatever
   * is not known is ignored: it may have been removed since it was chosen.
   */
  restCampaign(merchantId: number, campaignId: string, reason: CampaignRest | null): void {
    const campaign = this.#merchants.get(merchantId)?.campaigns.get(campaignId);
    if (campaign === undefined) return;
    const { group } = campaign;
    const rest = standingFor(reason);
    if (group.chosen !== campaign) campaign.rest = rest;
    else
      this.#seats.changeStanding(group, () => {
        campaign.rest = rest;
      });
  }

  /** Lets a product sit out, for example until its merchant's next day, or compete again (null). */
  restProduct(merchantId: number, productId: number, reason: ProductRest | null): void {
    const merchant = this.#merchants.get(merchantId);
    if (merchant === undefined) return;
    const product = this.#tables.productLookup.find(merchant.number, productId);
    if (product === NONE) return;
    const run = this.#tables.products.run[product] ?? NONE;
    const group = this.#tables.groupOf(run);
    const { category } = this.#tables.bucketOf(this.#tables.stallOf(run));
    this.#seats.unseat(product);
    this.#tables.products.rest[product] = standingFor(reason);
    this.#seats.seat(product, this.#seats.runOf(group, this.#bucket(group, category)));
  }

  /**
   * Returns the quality of a product, or without one (0) the quality of the campaign's product with the
   * highest score. Undefined if there is no such product that competes.
   */
  qualityOf(merchantId: number, campaignId: string, productId: number): number | undefined {
    const merchant = this.#merchants.get(merchantId);
    const { products, productLookup, runs } = this.#tables;
    if (merchant === undefined) return undefined;
    if (productId !== 0) return products.quality[productLookup.find(merchant.number, productId)];
    const group = merchant.campaigns.get(campaignId)?.group;
    if (group === undefined) return undefined;
    const best = [...this.#seats.runsOf(group)].map((run) =>
      products.trees.first(runs.products[run] ?? NONE),
    );
    const competing = best.filter((product) => products.trees.key(product) >= 0);
    const [first] = competing.sort((one, other) => products.trees.key(other) - products.trees.key(one));
    return first === undefined ? undefined : products.quality[first];
  }

  /** Returns the candidates of a request in the order of their score: valid until the next change. */
  rank(request: CompetitionRequest): Ranking {
    return rank(this.#tables, this.#seats, this.#merchants, request);
  }

  #owner(merchantId: number): Merchant | undefined {
    if (merchantId < 0) return undefined;
    const merchant = this.#merchants.get(merchantId);
    if (merchant === undefined) throw new Error(`merchant ${merchantId} has not been set`);
    return merchant;
  }

  #group(merchant: Merchant, name: string): Group {
    const found = merchant.groups.get(name);
    if (found !== undefined) return found;
    const group = { merchant, name, firstCampaign: undefined, chosen: undefined, hash: 0, firstRun: NONE };
    const added: Group = this.#tables.groups.add((number) => ({ number, ...group }));
    merchant.groups.set(name, added);
    return added;
  }

  #bucket({ merchant, chosen }: Group, category: readonly [string, string]): Bucket {
    return this.#tables.bucket(merchant.currency, chosen?.type ?? '', category);
  }

  /** Follows a change of a group's campaigns. */
  #choose(group: Group): void {
    const before = group.chosen;
    const after = choose(group);
    const isSame =
      before?.id === after?.id && before?.type === after?.type && orderOf(before) === orderOf(after);
    const change = (): void => {
      group.chosen = after;
      group.hash = hashOf(after?.id ?? '');
    };
    if (isSame) this.#seats.changeStanding(group, change);
    else this.#seatAgain(group, change);
  }

  /** Changes what decides about the buckets of a group's products, or their order. */
  #seatAgain(group: Group, change: () => void): void {
    const { products } = this.#tables;
    const seated = this.#productsOf(group).map((product) => {
      const { category } = this.#tables.bucketOf(this.#tables.stallOf(products.run[product] ?? NONE));
      return { product, category };
    });
    for (const { product } of seated) this.#seats.unseat(product);
    change();
    for (const { product, category } of seated)
      this.#seats.seat(product, this.#seats.runOf(group, this.#bucket(group, category)));
  }

  #productsOf(group: Group): number[] {
    const { products, runs } = this.#tables;
    return [...this.#seats.runsOf(group)].flatMap((run) => products.trees.nodes(runs.products[run] ?? NONE));
  }

  #remove(product: number): void {
    const { products, productLookup } = this.#tables;
    productLookup.remove(product);
    this.#seats.unseat(product);
    products.rows.release(product);
  }

  #removeIfEmpty(group: Group): void {
    if (group.firstCampaign !== undefined || group.firstRun !== NONE) return;
    group.merchant.groups.delete(group.name);
    this.#tables.groups.remove(group.number);
  }
}

function wholeMinorUnits(units: number, { minorUnit }: Merchant): number {
  return Math.floor(units / minorUnit);
}

function removeFrom(group: Group, campaign: KnownCampaign): void {
  if (group.firstCampaign === campaign) group.firstCampaign = campaign.next;
  for (let before = group.firstCampaign; before !== undefined; before = before.next)
    if (before.next === campaign) before.next = campaign.next;
}
