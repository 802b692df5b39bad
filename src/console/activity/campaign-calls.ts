import { readCampaignChange } from '../../campaigns/list-history.ts';
import {
  type DescribedItem,
  type HistorySource,
  isSelective,
  MOST_SEARCHED,
  numbersIn,
  type SourceItem,
} from './activity-source.ts';
import {
  type CampaignCallRow,
  findCampaignCallAfter,
  findOldestCampaignCall,
  listCampaignCalls,
} from './queries.ts';

/** What was changed in campaigns. */
export const campaignCalls: HistorySource = {
  type: 'campaign',
  hasFields: true,
  findOldest: async (database, merchantId) =>
    (await database.first(findOldestCampaignCall, { merchantId }))?.at,
  read: async (database, { merchantId, filter, before, limit }) => {
    const { kinds, name, field, from, until } = filter;
    // IDs are not blank, so nothing of the time itself precedes this.
    const [at, id] = before === undefined ? [until, ''] : placeIn(before);
    const place = { merchantId, at, id };
    const end = isSelective(filter)
      ? await database.first(findCampaignCallAfter, { ...place, from, skipped: MOST_SEARCHED })
      : undefined;
    const rows = await database.all(listCampaignCalls, {
      ...place,
      endAt: end?.at ?? from,
      endId: end?.id ?? '',
      kinds,
      name,
      field: field === undefined ? '' : `%"${field}":%`,
      limit,
    });
    return {
      items: rows.map(itemOf),
      searchedTo: end && itemOf(end),
      describe: async (count) => rows.slice(0, count).map(describe),
    };
  },
};

function itemOf({ at, id }: Pick<CampaignCallRow, 'at' | 'id'>): SourceItem {
  return { at, place: `${at} ${id}` };
}

function placeIn(place: string): [at: number, id: string] {
  const separator = place.indexOf(' ');
  return [numbersIn(place)[0], place.slice(separator + 1)];
}

function describe({ id, campaign_id, name, changes, ...author }: CampaignCallRow): DescribedItem {
  const { action, values } = readCampaignChange(changes);
  return {
    ...author,
    id,
    import_id: null,
    subject: {
      about: 'campaign',
      campaign: { id: campaign_id, name },
      action,
      changes: values,
    },
  };
}
