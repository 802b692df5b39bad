import type { CampaignRow } from '../../campaigns/campaign.ts';
import { lockCampaign } from '../../campaigns/queries.ts';
import { isScheduled, slotIn } from '../../campaigns/schedule-slots.ts';
import { lookUp } from '../../database/look-up.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import { findTimeZone } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { partsOf } from '../../shared/parts-of.ts';
import {
  type FiguresKey,
  figureNames,
  figuresOf,
  keysOf,
  NOTHING,
  type PlacementFigures,
  sum,
  textOf,
} from './figures.ts';
import { exceededBy, type LimitName } from './limits.ts';
import type { Placement } from './placement.ts';
import {
  addToFigures,
  findPlacementsByIds,
  insertPlacement,
  listFigures,
  type PlacementRow,
  updatePlacement,
} from './queries.ts';
import { recordSpend, type SpendContext } from './record-spend.ts';

interface State {
  stored: Placement | undefined;
  current: Placement;
}

/** What a transaction writes to. */
interface Rows {
  placementIds?: readonly string[];
  /** Of new placements. */
  campaignIds?: readonly string[];
}

/** Placements whose products and days are in one statement, next to 0, '' and today. */
const FIGURES_AT_ONCE = 18;

/**
 * Writes one merchant's placements in a transaction, with all figures that they add to. `open` locks the
 * campaigns, so that what is left of a budget stays as it was read; `put` keeps changes in memory.
 */
export class PlacementBatch {
  readonly #context: SpendContext;
  /** Of a time, in the merchant's time zone. */
  readonly dayOf: (time: number) => string;
  /** The day of `context.now`. */
  readonly today: string;
  readonly #timeZone: string;
  readonly #states = new Map<string, State>();
  readonly #campaigns: ReadonlyMap<string, CampaignRow>;
  /** As stored, by `textOf`. */
  readonly #stored = new Map<string, PlacementFigures & { announced: number }>();
  readonly #added = new Map<string, FiguresKey & PlacementFigures>();

  private constructor(context: SpendContext, timeZone: string, campaigns: ReadonlyMap<string, CampaignRow>) {
    this.#context = context;
    this.dayOf = dayIn(timeZone);
    this.today = this.dayOf(context.now);
    this.#timeZone = timeZone;
    this.#campaigns = campaigns;
  }

  static async open(
    context: SpendContext,
    { placementIds = [], campaignIds = [] }: Rows,
  ): Promise<PlacementBatch> {
    const { connection, merchantId } = context;
    const ids = [...new Set(placementIds)];
    const find = (): Promise<Placement[]> => lookUp(connection, findPlacementsByIds, merchantId, ids);
    const [before, merchant] = await Promise.all([find(), connection.first(findTimeZone, { merchantId })]);
    if (merchant === undefined) throw missingMerchant(merchantId);
    const named = new Set([...campaignIds, ...before.map(({ campaign_id }) => campaign_id)]);
    // In one order, so that transactions do not wait for each other in a circle.
    const keys = [...named].sort().map((id) => ({ merchantId, id }));
    const locked = (await connection.allEach(lockCampaign, keys)).flat();
    const campaigns = locked.map((row): [string, CampaignRow] => [row.id, row]);
    const batch = new PlacementBatch(context, merchant.time_zone, new Map(campaigns));
    // Others may have changed them until the campaigns were locked.
    for (const placement of before.length > 0 ? await find() : [])
      batch.#states.set(placement.placement_id, { stored: placement, current: placement });
    await batch.readFigures([]);
    return batch;
  }

  placement(id: string): Placement | undefined {
    return this.#states.get(id)?.current;
  }

  campaign(id: string): CampaignRow | undefined {
    return this.#campaigns.get(id);
  }

  /** Whether a campaign competes at `context.now` by its `hourly_schedule`. */
  isScheduled({ hourly_schedule: schedule }: CampaignRow): boolean {
    return schedule === null || isScheduled(schedule, slotIn(this.#timeZone)(this.#context.now));
  }

  /** Figures with the changes so far, of a key that `open` or `readFigures` has read. */
  figures(key: FiguresKey): PlacementFigures {
    const name = textOf(key);
    const stored = this.#stored.get(name);
    if (stored === undefined) throw new Error(`the figures ${name} have not been read`);
    const added = this.#added.get(name);
    return added === undefined ? stored : sum(stored, added);
  }

  /** Reads what counts against the budgets of placements, for `exceeded`. */
  async readFigures(placements: readonly Pick<Placement, keyof FiguresKey>[]): Promise<void> {
    const { connection, merchantId } = this.#context;
    await Promise.all(
      [...this.#campaigns.keys()].map(async (campaignId) => {
        const of = placements.filter(({ campaign_id }) => campaign_id === campaignId);
        this.#keepNothing(campaignId, 0, this.today);
        const parts = of.length === 0 ? [[]] : [...partsOf(of, FIGURES_AT_ONCE)];
        for (const part of parts) {
          for (const { product_id, day } of part) {
            this.#keepNothing(campaignId, 0, day);
            this.#keepNothing(campaignId, product_id, day);
          }
          const products = [...new Set([0, ...part.map(({ product_id }) => product_id)])];
          const days = [...new Set(['', this.today, ...part.map(({ day }) => day)])];
          const rows = await connection.all(listFigures, { merchantId, campaignId, products, days });
          for (const row of rows) this.#keep(row, row);
        }
      }),
    );
  }

  /** The first of the campaign's budgets that does not cover the price in addition; undefined if all do. */
  exceeded(placement: Placement): LimitName | undefined {
    const campaign = this.#campaigns.get(placement.campaign_id);
    if (campaign === undefined) throw new Error(`the campaign ${placement.campaign_id} is not locked`);
    return exceededBy(placement.price, campaign, placement, (key) => this.figures(key));
  }

  /** Adds a placement, or replaces the one with its ID. */
  put(placement: Placement): void {
    const state = this.#states.get(placement.placement_id);
    this.#add(state?.current, -1);
    this.#add(placement, 1);
    this.#states.set(placement.placement_id, { stored: state?.stored, current: placement });
  }

  /** Writes every placement that `put` changed, the figures, and what becomes of the campaigns. */
  async write(): Promise<void> {
    const { connection, merchantId: merchant_id } = this.#context;
    const inserts: PlacementRow[] = [];
    const updates: PlacementRow[] = [];
    for (const { stored, current } of this.#states.values()) {
      if (stored === current) continue;
      (stored === undefined ? inserts : updates).push({ ...current, merchant_id, revision: 0 });
    }
    if (inserts.length > 0) await connection.runEach(insertPlacement, inserts);
    connection.send(updatePlacement, updates);
    const added = [...this.#added].filter(([, row]) => figureNames.some((name) => row[name] !== 0));
    connection.send(
      addToFigures,
      added.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => ({ merchant_id, ...row })),
    );
    for (const [id, row] of this.#campaigns) {
      const total = this.figures({ campaign_id: id, product_id: 0, day: '' });
      const ofToday = { campaign_id: id, product_id: 0, day: this.today };
      const ofAll = { ...ofToday, day: '' };
      const announced = {
        daily: this.#stored.get(textOf(ofToday))?.announced ?? 0,
        low: this.#stored.get(textOf(ofAll))?.announced ?? 0,
      };
      const after = {
        spend: total.spend,
        placements: total.delivered,
        spend_day: this.today,
        spend_today: this.figures(ofToday).spend,
      };
      await recordSpend(this.#context, row, after, announced);
    }
  }

  /** Remembers figures of a day, and of all days, of which there may be no row. */
  #keepNothing(campaign_id: string, product_id: number, day: string): void {
    for (const each of ['', day]) {
      const key = { campaign_id, product_id, day: each };
      if (!this.#stored.has(textOf(key))) this.#keep(key, { ...NOTHING, announced: 0 });
    }
  }

  #keep(key: FiguresKey, figures: PlacementFigures & { announced: number }): void {
    this.#stored.set(textOf(key), figures);
  }

  #add(placement: Placement | undefined, sign: 1 | -1): void {
    if (placement === undefined) return;
    const figures = figuresOf(placement);
    for (const key of keysOf(placement)) {
      const name = textOf(key);
      this.#added.set(name, { ...key, ...sum(this.#added.get(name) ?? NOTHING, figures, sign) });
    }
  }
}
