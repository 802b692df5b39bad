import {
  type ActivitySource,
  type DescribedItem,
  type HistorySource,
  isSelective,
  MOST_SEARCHED,
  type SourceItem,
} from './activity-source.ts';
import { timePrefix } from './name-authors.ts';
import { findLogEntryAfter, type LogRow, listLog, type RecordedType } from './queries.ts';

/** The entries of the audit log, without those that a history has with its values. */
export function auditLog(histories: readonly HistorySource[]): ActivitySource {
  return {
    type: undefined,
    hasFields: false,
    read: async (database, { merchantId, filter, before, limit }) => {
      const { kinds, name, type } = filter;
      const until = before ?? timePrefix(filter.until);
      const place = { merchantId, before: until, from: timePrefix(filter.from) };
      const isSearched = isSelective(filter) || type !== undefined;
      const end = isSearched
        ? await database.first(findLogEntryAfter, { ...place, skipped: MOST_SEARCHED })
        : undefined;
      const startOf = async (recorded: RecordedType): Promise<number> => {
        const history = histories.find((each) => each.type === recorded);
        return (await history?.findOldest(database, merchantId)) ?? Number.MAX_SAFE_INTEGER;
      };
      const rows = await database.all(listLog(type), {
        ...place,
        ...(end !== undefined && { from: end.id }),
        kinds,
        name,
        productFrom: await startOf('product'),
        campaignFrom: await startOf('campaign'),
        limit,
      });
      return {
        items: rows.map(itemOf),
        searchedTo: end && itemOf(end),
        describe: async (count) =>
          rows.slice(0, count).map(
            ({ id, at, who_kind, who, action, subject }): DescribedItem => ({
              id,
              at,
              actor_kind: who_kind,
              actor_name: who,
              import_id: null,
              subject: { about: 'log', action, subject },
            }),
          ),
      };
    },
  };
}

function itemOf({ at, id }: Pick<LogRow, 'at' | 'id'>): SourceItem {
  return { at, place: id };
}
