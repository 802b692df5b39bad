import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { revisionAt } from '../products/record/revision.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../sync/changes-cursor.ts';
import { type Campaign, type CampaignRow, campaignOf } from './campaign.ts';
import {
  findCampaignState,
  findUnnumberedCampaign,
  listCampaignsChangedAfter,
  numberCampaigns,
  raiseCampaignRevision,
} from './queries.ts';

/** Campaigns in the order of their last change. */
export interface CampaignChanges {
  results: Campaign[];
  /** The position for the next request. */
  cursor: string;
  /** Whether there are more changes already. */
  more: boolean;
}

interface Sources {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** After all campaigns without a revision. */
const BEGINNING = { revision: 0, key: '~' };
/** Reading more takes too long for the event loop. */
const MAX_ON_LOOP = 250;
/** Campaigns that get a revision in one transaction. */
const NUMBERED_AT_ONCE = 1_000;

/**
 * A client that continues at the cursor sees every campaign in its newest state. A change gets its revision
 * after its commit, when changes are listed, in transactions that wait for each other.
 * @throws {DomainError} `invalid_parameters` for another list's cursor, `cursor_expired` after a restore
 */
export async function campaignsChangedSince(
  sources: Sources,
  { merchantId, perPage }: { merchantId: number; perPage: number },
  changedSince: string,
): Promise<CampaignChanges> {
  const list = { merchantId, listing: 'changed campaigns' };
  const cursor = decodeChangesCursor(changedSince, list, 'text');
  const { database, offLoop } = sources;
  const head = await database.first(findCampaignState, { merchantId });
  if (head === undefined) throw missingMerchant(merchantId);
  requireSameHistory(cursor, head);
  const { revision, key } = cursor ?? BEGINNING;
  const window = { merchantId, revision, id: String(key), limit: perPage + 1 };
  const read = (): Promise<CampaignChangeRow[]> =>
    perPage <= MAX_ON_LOOP
      ? database.all(listCampaignsChangedAfter, window)
      : offLoop.snapshot(merchantId, (reader) => reader.all(listCampaignsChangedAfter, window));
  let rows = await read();
  let isComplete = true;
  if (rows.length <= perPage && (await database.first(findUnnumberedCampaign, { merchantId }))) {
    isComplete = await numberSome(sources, merchantId);
    rows = await read();
  }
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  const end = last === undefined ? { revision, key } : { revision: last.revision, key: last.id };
  return {
    results: page.map(({ revision: _, ...row }) => campaignOf(row)),
    cursor: encodeChangesCursor(list, head.epoch, end),
    more: rows.length > perPage || !isComplete,
  };
}

type CampaignChangeRow = CampaignRow & { revision: number };

/** Numbers some campaigns that have changed. Resolves to whether these were all. */
async function numberSome({ database, now }: Sources, merchantId: number): Promise<boolean> {
  return await database.transaction(
    async (connection) => {
      const raised = await connection.first(raiseCampaignRevision, {
        merchantId,
        revision: revisionAt(now()),
      });
      if (raised === undefined) throw missingMerchant(merchantId);
      const some = { merchantId, revision: raised.revision, limit: NUMBERED_AT_ONCE };
      return (await connection.run(numberCampaigns, some)) < NUMBERED_AT_ONCE;
    },
    { merchantId, locksMerchant: true },
  );
}
