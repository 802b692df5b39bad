import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type Campaign, type CampaignRow, type CampaignStatus, campaignOf } from './campaign.ts';
import type { CampaignCounter, CampaignCounts } from './count-campaigns.ts';
import {
  findCampaignBefore,
  findCampaignOfStatusBefore,
  listCampaignsBefore,
  listCampaignsOfStatusBefore,
} from './queries.ts';

/** Which of a merchant's campaigns to list; `page` counts from 1. */
export interface CampaignListing {
  /** Undefined for all. */
  status: CampaignStatus | undefined;
  page: number;
  perPage: number;
}

/** A page of campaigns. */
export interface CampaignList {
  campaigns: Campaign[];
  /** The number of campaigns on all pages. */
  total: number;
}

/**
 * Places in a list, by the number of campaigns up to there, counted from the oldest in steps of `STEP`: new campaigns do
 * not move them.
 */
interface Milestones {
  /** They are valid as long as this is the same. */
  version: string;
  ids: Map<number, string>;
}

/** Sorts after every id. */
const AFTER_ALL_IDS = '~';
/** The number of campaigns to skip in one step. Other requests are served between steps. */
const STEP = 5_000;
/** The number of campaigns to read in one step. */
const PART = 250;
const MAX_LISTS = 1_000;

/** Lists merchants' campaigns, newest first. */
export class CampaignLister {
  readonly #database: Database;
  readonly #counter: CampaignCounter;
  readonly #milestones = new Map<string, Milestones>();

  constructor(database: Database, counter: CampaignCounter) {
    this.#database = database;
    this.#counter = counter;
  }

  /**
   * Returns a page. A page far from the newest campaign is found in steps, and its place is remembered for later pages,
   * unless the list has a status and another status has changed meanwhile.
   */
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
      const rows: CampaignRow[] =
        status === undefined
          ? await this.#database.all(listCampaignsBefore, place)
          : await this.#database.all(listCampaignsOfStatusBefore, { ...place, status });
      campaigns.push(...rows.map(campaignOf));
      const last = rows.at(-1);
      const rest = Math.min(limit - campaigns.length, PART);
      if (last === undefined || rows.length < place.limit || rest === 0) return campaigns;
      place = { merchantId, before: last.id, offset: 0, limit: rest };
      await nextTurn();
    }
  }

  /** Returns a place before a position, from which `offset` campaigns remain to be skipped, at most `STEP`. */
  async #walkTo(
    merchantId: number,
    status: CampaignStatus | undefined,
    position: number,
    counts: CampaignCounts,
  ): Promise<{ before: string; offset: number }> {
    if (position <= STEP) return { before: AFTER_ALL_IDS, offset: position };
    const total = totalOf(counts, status);
    const known = this.#knownMilestones(merchantId, status, counts);
    // A place's rank is the number of campaigns that are older than it.
    const rank = total - position;
    let nearest = Math.ceil(rank / STEP) * STEP;
    while (nearest < total && !known.has(nearest)) nearest += STEP;
    let [before, at] = nearest < total ? [known.get(nearest) ?? '', nearest] : [AFTER_ALL_IDS, total];
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
      // A campaign that is committed later may still come before a newer place.
      if (before < counts.settled) found.set(at, before);
      await nextTurn();
    }
    if (found.size > 0) await this.#remember(merchantId, status, { counts, known, found });
    return { before, offset: at - rank };
  }

  #knownMilestones(
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

  /** Keeps places that were found, unless campaigns were added or changed while they were. */
  async #remember(
    merchantId: number,
    status: CampaignStatus | undefined,
    {
      counts,
      known,
      found,
    }: { counts: CampaignCounts; known: Map<number, string>; found: Map<number, string> },
  ): Promise<void> {
    const { total, changes, recount } = await this.#counter.count(merchantId);
    const isUnchanged = status === undefined || changes === counts.changes;
    if (!isUnchanged || total !== counts.total || recount !== counts.recount) return;
    for (const [rank, id] of found) known.set(rank, id);
  }
}

function totalOf({ total, byStatus }: CampaignCounts, status: CampaignStatus | undefined): number {
  return status === undefined ? total : byStatus[status];
}

/** Returns the total that a page shows, if campaigns were added or their statuses changed after they were counted. */
function adjust(
  total: number,
  { position, perPage, found }: { position: number; perPage: number; found: number },
): number {
  if (found === 0) return Math.min(total, position);
  return found < perPage ? position + found : Math.max(total, position + found);
}
