import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Campaign, CampaignState, CampaignStatus } from './campaign.ts';
import { campaignsAt } from './campaign-record.ts';
import type { CampaignCounter, CampaignCounts } from './count-campaigns.ts';
import {
  findCampaignBefore,
  findCampaignOfStatusBefore,
  listCampaignsBefore,
  listCampaignsOfStatusBefore,
} from './queries.ts';

/** `page` counts from 1. */
interface CampaignListing {
  /** Undefined for all. */
  status: CampaignStatus | undefined;
  page: number;
  perPage: number;
}

interface CampaignList {
  campaigns: Campaign[];
  /** Counts all pages. */
  total: number;
}

/** Ids by the number of campaigns up to there, oldest first, every `STEP`: new campaigns move none. */
interface Milestones {
  /** The ids are valid while the version stays the same. */
  version: string;
  ids: Map<number, string>;
}

/** Sorts after every id. */
const AFTER_ALL_IDS = '~';
/** Campaigns to skip at once. Other requests are served between steps. */
const STEP = 5_000;
/** Campaigns to read at once. */
const PART = 250;
const MAX_LISTS = 1_000;

/** Newest first. */
export class CampaignLister {
  readonly #database: Database;
  readonly #counter: CampaignCounter;
  readonly #now: () => number;
  readonly #milestones = new Map<string, Milestones>();

  constructor(database: Database, counter: CampaignCounter, now: () => number) {
    this.#database = database;
    this.#counter = counter;
    this.#now = now;
  }

  /** Finds distant pages in steps, which are remembered until a status changes if the list has a status. */
  async list(merchantId: number, { status, page, perPage }: CampaignListing): Promise<CampaignList> {
    const counts = await this.#counter.count(merchantId);
    const total = totalOf(counts, status);
    const position = (page - 1) * perPage;
    if (position >= total) return { campaigns: [], total };
    const { before, offset } = await this.#walkTo(merchantId, status, position, counts);
    const campaigns = await this.#read(merchantId, status, { before, offset, limit: perPage });
    return { campaigns, total: adjust(total, { position, perPage, found: campaigns.length }) };
  }

  async #read(
    merchantId: number,
    status: CampaignStatus | undefined,
    { before, offset, limit }: { before: string; offset: number; limit: number },
  ): Promise<Campaign[]> {
    const campaigns: Campaign[] = [];
    let place = { merchantId, before, offset, limit: Math.min(limit, PART) };
    for (;;) {
      const rows: CampaignState[] =
        status === undefined
          ? await this.#database.all(listCampaignsBefore, place)
          : await this.#database.all(listCampaignsOfStatusBefore, { ...place, status });
      campaigns.push(...rows.map(campaignsAt(this.#now())));
      const last = rows.at(-1);
      const rest = Math.min(limit - campaigns.length, PART);
      if (last === undefined || rows.length < place.limit || rest === 0) return campaigns;
      place = { merchantId, before: last.id, offset: 0, limit: rest };
      await nextTurn();
    }
  }

  /** Returns a place from which at most `STEP` campaigns remain to be skipped. */
  async #walkTo(
    merchantId: number,
    status: CampaignStatus | undefined,
    position: number,
    counts: CampaignCounts,
  ): Promise<{ before: string; offset: number }> {
    if (position <= STEP) return { before: AFTER_ALL_IDS, offset: position };
    const total = totalOf(counts, status);
    const milestones = this.#milestonesOf(merchantId, status, counts);
    // A place's rank is the number of older campaigns.
    const rank = total - position;
    let nearest = Math.ceil(rank / STEP) * STEP;
    while (nearest < total && !milestones.has(nearest)) nearest += STEP;
    let [before, at] = nearest < total ? [milestones.get(nearest) ?? '', nearest] : [AFTER_ALL_IDS, total];
    const found = new Map<number, string>();
    while (at - rank > STEP) {
      const next = Math.ceil(at / STEP) * STEP - STEP;
      const place = { merchantId, before, offset: at - next - 1 };
      const row =
        status === undefined
          ? await this.#database.first(findCampaignBefore, place)
          : await this.#database.first(findCampaignOfStatusBefore, { ...place, status });
      // Their statuses have changed since they were counted.
      if (row === undefined) return { before: '', offset: 0 };
      [before, at] = [row.id, next];
      // A campaign that commits later may still come before a newer place.
      if (before < counts.settled) found.set(at, before);
      await nextTurn();
    }
    if (found.size > 0) await this.#remember(merchantId, status, { counts, milestones, found });
    return { before, offset: at - rank };
  }

  #milestonesOf(
    merchantId: number,
    status: CampaignStatus | undefined,
    counts: CampaignCounts,
  ): Map<number, string> {
    const name = `${merchantId} ${status ?? ''}`;
    const version = `${counts.recount} ${status === undefined ? '' : counts.changes}`;
    const milestones = this.#milestones.get(name);
    if (milestones?.version === version) return milestones.ids;
    if (this.#milestones.size >= MAX_LISTS) this.#milestones.clear();
    const ids = new Map<number, string>();
    this.#milestones.set(name, { version, ids });
    return ids;
  }

  /** Keeps places, unless campaigns were added or changed during the search. */
  async #remember(
    merchantId: number,
    status: CampaignStatus | undefined,
    {
      counts,
      milestones,
      found,
    }: { counts: CampaignCounts; milestones: Map<number, string>; found: Map<number, string> },
  ): Promise<void> {
    const { total, changes, recount } = await this.#counter.count(merchantId);
    const isUnchanged = status === undefined || changes === counts.changes;
    if (!isUnchanged || total !== counts.total || recount !== counts.recount) return;
    for (const [rank, id] of found) milestones.set(rank, id);
  }
}

function totalOf({ total, byStatus }: CampaignCounts, status: CampaignStatus | undefined): number {
  return status === undefined ? total : byStatus[status];
}

/** The total if campaigns were added or changed after they were counted. */
function adjust(
  total: number,
  { position, perPage, found }: { position: number; perPage: number; found: number },
): number {
  if (found === 0) return Math.min(total, position);
  return found < perPage ? position + found : Math.max(total, position + found);
}
