import type { Database } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { type ListedChanges, listedChange } from '../products/history/listed-changes.ts';
import { decodeCursor, encodeCursor } from '../sync/cursor.ts';
import type { CampaignDiff } from './campaign-history.ts';
import { listChangesOfCampaign } from './history-queries.ts';
import { findCampaignRow } from './queries.ts';

/** A field that a change of a campaign has changed. */
export interface ChangedCampaignValue {
  field: string;
  from: string | number | null;
  to: string | number | null;
}

/** Before every change. */
const NEWEST = [Number.MAX_SAFE_INTEGER, ''] as const;

/**
 * Lists the changes of a campaign, newest first, and at last its creation, as far as they are recorded.
 * @throws {DomainError} `campaign_not_found`; `invalid_parameters` for a cursor of another list
 */
export async function listCampaignHistory(
  database: Pick<Database, 'all' | 'first'>,
  { merchantId, id }: { merchantId: number; id: string },
  { perPage, after }: { perPage: number; after: string | undefined },
): Promise<ListedChanges<ChangedCampaignValue>> {
  const campaign = await database.first(findCampaignRow, { merchantId, id });
  if (campaign === undefined) throw errors.campaign_not_found(id);
  const list = { merchantId, listing: `history of campaign ${id}` };
  const [writtenAt, changeId] =
    after === undefined ? NEWEST : decodeCursor('after', after, list, ['integer', 'text']);
  const start = { merchantId, campaignId: id, writtenAt, changeId };
  const rows = await database.all(listChangesOfCampaign, { ...start, limit: perPage + 1 });
  const listed = rows.slice(0, perPage);
  const last = listed.at(-1) ?? { written_at: writtenAt, id: changeId };
  return {
    results: listed.map(({ changes, ...author }) => {
      const { action, values } = readCampaignChange(changes);
      return listedChange({ ...author, import_id: null }, action, values);
    }),
    cursor: encodeCursor(list, [last.written_at, last.id]),
    more: rows.length > perPage,
  };
}

/** Returns what the column `changes` of a campaign's change says. */
export function readCampaignChange(changes: string): {
  action: 'created' | 'changed';
  values: ChangedCampaignValue[];
} {
  const diff = JSON.parse(changes) as CampaignDiff;
  return {
    action: diff.status?.[0] === null ? 'created' : 'changed',
    values: Object.entries(diff).map(([field, [from, to]]) => ({ field, from, to })),
  };
}
