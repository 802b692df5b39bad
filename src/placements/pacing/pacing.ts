import type { AdPacing } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { findTimeZone } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { unitsOf } from '../../shared/amounts.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { PollingLoop } from '../../shared/polling-loop.ts';
import { DayProfile } from './day-profile.ts';
import { paceLimit } from './pace-limit.ts';
import { listPacedCampaigns } from './queries.ts';
import { RequestCounts, readHistories } from './request-counts.ts';
import { RequestHistory } from './request-history.ts';

const POLL_MS = 1_000;
/** What is known of a campaign is read again if it is older when somebody asks. */
const REFRESH_MS = 2_000;
const HISTORY_MS = 10 * 60 * 1000;
const CAMPAIGNS_AT_ONCE = 50;
const MERCHANTS_AT_ONCE = 20;
/** In each step; others follow in the next one. */
const MAX_READ = 2_000;
/** About 40 MB. */
const MAX_KNOWN = 200_000;
const MAX_PROFILES = 2_000;

interface CampaignKey {
  merchantId: number;
  campaignId: string;
}

/** A campaign as it was read last. */
interface KnownCampaign extends CampaignKey {
  /** In units (`amounts.ts`); null for no budget, and until it is read. */
  dailyBudget: number | null;
  hourlySchedule: string | null;
  timeZone: string;
  /** `YYYY-MM-DD` in the time zone: the day of `used`. */
  day: string;
  /** What is reserved and delivered on the day, in units. */
  used: number;
  /** Milliseconds since 1970. */
  readAt: number;
}

/** A campaign that could get a place in a request. */
interface Pacable extends CampaignKey {
  /** In units. */
  bid: number;
}

export interface PacedRequest {
  key: string;
  currency: string;
}

/** Amounts are in units. */
export interface CampaignPace {
  /** What is reserved and delivered today, as far as it is known. */
  used: number;
  /** If more is, the campaign sits out the request. */
  limit: number;
}

interface PacingParts {
  database: Database;
  pacing: AdPacing;
  /** Milliseconds since 1970. */
  now: () => number;
  onError: (error: unknown) => void;
  /** The pause between two reads of what was asked about. */
  pollMs?: number;
}

/**
 * Spreads daily budgets over the day (contract for campaigns, “Pacing”). It decides from memory: `learn`
 * tells it what reservations add up to, and every campaign that is asked about is read again within seconds,
 * because other processes reserve as well. Budgets do not depend on it: each reservation checks them.
 */
export class Pacing {
  readonly #parts: PacingParts;
  readonly #counts: RequestCounts;
  readonly #loop: PollingLoop;
  /** By `nameOf`. */
  readonly #campaigns = new Map<string, KnownCampaign>();
  readonly #asked = new Map<string, CampaignKey>();
  #histories: ReadonlyMap<string, RequestHistory> = new Map();
  #readHistoriesAt = Number.NEGATIVE_INFINITY;
  readonly #profiles = new Map<string, DayProfile>();
  readonly #days = new Map<string, (time: number) => string>();

  constructor(parts: PacingParts) {
    this.#parts = parts;
    this.#counts = new RequestCounts(parts.database, parts.onError);
    this.#loop = new PollingLoop({
      step: () => this.#step(),
      pollMs: parts.pollMs ?? POLL_MS,
      minPauseMs: () => 0,
      onError: parts.onError,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes what is counted. */
  async close(): Promise<void> {
    await this.#loop.close();
    await this.#counts.flush();
  }

  /** Counts a request that is decided. A repetition of its key is not. */
  count(currency: string): void {
    this.#counts.count(currency, this.#parts.now());
  }

  /** Returns when a campaign sits out a request; null if it does not, or is not known yet. */
  paceOf(campaign: Pacable, { key, currency }: PacedRequest): CampaignPace | null {
    if (this.#parts.pacing === 'fast') return null;
    const now = this.#parts.now();
    const name = nameOf(campaign);
    const read = this.#campaigns.get(name);
    // A clock that went back makes what was read later too old as well.
    const isOld = read === undefined || Math.abs(now - read.readAt) >= REFRESH_MS;
    if (isOld && this.#asked.size < MAX_KNOWN) {
      const { merchantId, campaignId } = campaign;
      this.#asked.set(name, { merchantId, campaignId });
    }
    if (read === undefined || read.dailyBudget === null) return null;
    const { campaignId, dailyBudget, timeZone } = read;
    const day = this.#dayOf(timeZone, now);
    const used = read.day === day ? read.used : 0;
    const share = this.#profile(read, day, currency).shareAt(now);
    return { used, limit: paceLimit({ campaignId, dailyBudget, share, bid: campaign.bid }, key) };
  }

  /** Tells what is reserved and delivered on a day after a reservation, in units. */
  learn(campaign: CampaignKey, { day, used }: { day: string; used: number }): void {
    const read = this.#campaigns.get(nameOf(campaign));
    if (read === undefined || day < read.day) return;
    read.day = day;
    read.used = used;
  }

  async #step(): Promise<boolean> {
    const now = this.#parts.now();
    if (Math.abs(now - this.#readHistoriesAt) >= HISTORY_MS) {
      this.#histories = await readHistories(this.#parts.database, now);
      this.#readHistoriesAt = now;
      this.#profiles.clear();
    }
    const asked = [...this.#asked].slice(0, MAX_READ);
    if (this.#campaigns.size + asked.length > MAX_KNOWN) this.#campaigns.clear();
    for (const [name] of asked) this.#asked.delete(name);
    const byMerchant = [...Map.groupBy(asked, ([, { merchantId }]) => merchantId)];
    for (const some of partsOf(byMerchant, MERCHANTS_AT_ONCE)) {
      await Promise.all(
        some.map(([id, campaigns]) =>
          this.#tryRead(
            id,
            campaigns.map(([, { campaignId }]) => campaignId),
          ),
        ),
      );
    }
    return this.#asked.size > 0;
  }

  /** The node of a merchant may be away. Its campaigns are read when somebody asks again. */
  async #tryRead(merchantId: number, campaignIds: readonly string[]): Promise<void> {
    try {
      await this.#read(merchantId, campaignIds);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  async #read(merchantId: number, campaignIds: readonly string[]): Promise<void> {
    const { database } = this.#parts;
    const merchant = await database.first(findTimeZone, { merchantId });
    if (merchant === undefined) return;
    const readAt = this.#parts.now();
    const { time_zone: timeZone } = merchant;
    const day = this.#dayOf(timeZone, readAt);
    for (const ids of partsOf(campaignIds, CAMPAIGNS_AT_ONCE)) {
      const rows = await database.all(listPacedCampaigns, { merchantId, ids, day });
      for (const { id: campaignId, daily_budget: budget, hourly_schedule: hourlySchedule, used } of rows) {
        const key = { merchantId, campaignId };
        const dailyBudget = budget === null ? null : unitsOf(budget);
        const read = { dailyBudget, hourlySchedule, timeZone, day, used: used ?? 0, readAt };
        this.#campaigns.set(nameOf(key), { ...key, ...read });
      }
    }
  }

  #profile({ timeZone, hourlySchedule }: KnownCampaign, day: string, currency: string): DayProfile {
    const name = `${currency} ${timeZone} ${day} ${hourlySchedule ?? ''}`;
    const found = this.#profiles.get(name);
    if (found !== undefined) return found;
    const history = this.#histories.get(currency) ?? new RequestHistory();
    const profile = new DayProfile(history, { day, timeZone, hourlySchedule });
    if (this.#profiles.size >= MAX_PROFILES) this.#profiles.clear();
    this.#profiles.set(name, profile);
    return profile;
  }

  #dayOf(timeZone: string, time: number): string {
    const found = this.#days.get(timeZone) ?? dayIn(timeZone);
    this.#days.set(timeZone, found);
    return found(time);
  }
}

function nameOf({ merchantId, campaignId }: CampaignKey): string {
  return `${merchantId} ${campaignId}`;
}
