import type { CampaignRow } from '../../campaigns/campaign.ts';
import { isScheduled } from '../../campaigns/schedule-slots.ts';
import { bidUnitsOf } from '../../shared/amounts.ts';
import { reasonOf, standingOfCampaign, standingOfProduct } from '../competition/standings.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { DemandRow, ProductGroup } from './queries.ts';

const HOUR_MS = 60 * 60 * 1000;

export type DiagnosedCampaign = Pick<
  CampaignRow,
  'id' | 'status' | 'bid_amount' | 'hourly_schedule' | 'created_at' | 'updated_at'
>;

type Demand = Pick<DemandRow, 'hour' | 'category_1' | 'category_2' | 'floor'>;

/** What the products that a category leaves are now. */
interface CategoryState {
  /** Why none of them competes, and since when at the latest; undefined if one does. */
  reason: LossReason | undefined;
  since: number;
  /** The highest bid among those that compete, in units. */
  bid: number;
}

/**
 * What is known, apart from decisions, of why a campaign did not win requests: its present state, from the
 * hour on in which it or its products changed last.
 */
export class CampaignStates {
  readonly #campaign: DiagnosedCampaign;
  readonly #groups: readonly ProductGroup[];
  readonly #slotOf: (time: number) => number;
  readonly #byCategory = new Map<string, CategoryState | undefined>();

  /** `slotOf` is of the merchant's time zone. */
  constructor(
    campaign: DiagnosedCampaign,
    groups: readonly ProductGroup[],
    slotOf: (time: number) => number,
  ) {
    this.#campaign = campaign;
    this.#groups = groups;
    this.#slotOf = slotOf;
  }

  /** The highest bid of all products, in units; 0 without one. */
  get bid(): number {
    const highest = Math.max(0, ...this.#groups.map(({ highest_bid }) => highest_bid));
    return bidUnitsOf(this.#campaign.bid_amount ?? highest);
  }

  /** Whether the campaign has products that requests of a kind leave. */
  couldWin({ hour, category_1, category_2 }: Demand): boolean {
    const { created_at: createdAt } = this.#campaign;
    return hour + HOUR_MS > createdAt && this.#stateOf(category_1, category_2) !== undefined;
  }

  /** Returns why the campaign lost requests of a kind in an hour if no decision says it. */
  reasonFor({ hour, category_1, category_2, floor }: Demand): LossReason {
    const state = this.#stateOf(category_1, category_2);
    if (state === undefined) return 'outbid';
    const {
      status,
      hourly_schedule: schedule,
      updated_at: updatedAt,
      created_at: createdAt,
    } = this.#campaign;
    const isKnown = (since: number): boolean => since < hour + HOUR_MS;
    // Schedules have slots of whole hours, but some time zones differ by half an hour.
    if (status === 'Active' && !isScheduled(schedule, this.#slotOf(hour + HOUR_MS / 2))) return 'paused';
    if (state.reason !== undefined && isKnown(state.since)) return state.reason;
    const standing = standingOfCampaign(status);
    const ofCampaign = standing === undefined ? 'paused' : reasonOf(standing);
    if (ofCampaign !== undefined && isKnown(updatedAt ?? createdAt)) return ofCampaign;
    return state.reason === undefined && state.bid < floor ? 'below_floor' : 'outbid';
  }

  /** Undefined without products. */
  #stateOf(category1: string, category2: string): CategoryState | undefined {
    const name = `${category1}\n${category2}`;
    if (!this.#byCategory.has(name)) {
      const groups = this.#groups.filter(
        (group) =>
          (category1 === '' || group.category_1 === category1) &&
          (category2 === '' || group.category_2 === category2),
      );
      this.#byCategory.set(name, groups.length === 0 ? undefined : this.#summarize(groups));
    }
    return this.#byCategory.get(name);
  }

  #summarize(groups: readonly ProductGroup[]): CategoryState {
    const counts = new Map<LossReason | undefined, number>();
    let [bid, since] = [0, 0];
    for (const group of groups) {
      const reason = this.#reasonOf(group);
      counts.set(reason, (counts.get(reason) ?? 0) + group.products);
      since = Math.max(since, group.updated_at);
      if (reason === undefined)
        bid = Math.max(bid, bidUnitsOf(this.#campaign.bid_amount ?? group.highest_bid));
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    return { reason: counts.has(undefined) ? undefined : most?.[0], since, bid };
  }

  #reasonOf({ status, highest_bid: bid }: ProductGroup): LossReason | undefined {
    const standing = standingOfProduct(status);
    if (standing === undefined) return 'disabled';
    return reasonOf(standing) ?? (this.#campaign.bid_amount === null && bid < 0 ? 'no_bid' : undefined);
  }
}
