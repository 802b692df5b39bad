import { type ChangeSources, changesOf, type LateNumbered } from '../../campaigns/late-numbered.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import { LAST_DAY } from '../record/placement.ts';
import { type PlacementRecord, placementRecord } from './placement-record.ts';
import {
  findUnnumberedPlacement,
  listPlacementsChangedAfter,
  listSelected,
  numberPlacements,
  type PlacementLine,
  type PlacementSelection,
} from './queries.ts';

/** In wire order. */
export interface PlacementList {
  results: PlacementRecord[];
  cursor: string;
  /** Whether the list has placements after these at present. */
  more: boolean;
}

interface ListRequest {
  merchantId: number;
  perPage: number;
}

export const placementChanges: LateNumbered<PlacementLine> = {
  listing: 'changed placements',
  listChangedAfter: listPlacementsChangedAfter,
  findUnnumbered: findUnnumberedPlacement,
  number: numberPlacements,
  keyOf: ({ placement_id }) => placement_id,
};

/**
 * Lists placements in the order of their last change, as `changesOf`.
 * @throws {DomainError} as `changesOf`
 */
export async function placementsChangedSince(
  sources: ChangeSources,
  request: ListRequest,
  changedSince: string,
): Promise<PlacementList> {
  const { rows, ...rest } = await changesOf(sources, request, changedSince, placementChanges);
  return { results: rows.map(placementRecord), ...rest };
}

/** Days from `from` to `to`; undefined for any. */
interface Days {
  from: string | undefined;
  to: string | undefined;
}

/**
 * Lists the placements of a campaign, of a product or of a day, or of several of these, in the order of their
 * days: the lines that figures add up. Reads off the event loop.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function selectedPlacements(
  { offLoop }: ChangeSources,
  { merchantId, perPage, after, from, to }: ListRequest & Days & { after: string | undefined },
  selection: PlacementSelection,
): Promise<PlacementList> {
  const { campaign = '', productId = 0, day = '', state = '' } = selection;
  const selected = [campaign, productId, day, state, from ?? '', to ?? ''];
  const list = { merchantId, listing: `placements ${JSON.stringify(selected)}` };
  const [afterDay, afterId] =
    after === undefined ? [from ?? '', ''] : decodeCursor('after', after, list, ['text', 'text']).map(String);
  const place = { afterDay: afterDay ?? '', afterId: afterId ?? '' };
  const lines = await offLoop.snapshot(merchantId, (reader) =>
    reader.all(listSelected(selection), {
      ...{ merchantId, campaign, productId, day, state, to: to ?? LAST_DAY },
      ...place,
      limit: perPage + 1,
    }),
  );
  const listed = lines.slice(0, perPage);
  const last = listed.at(-1);
  return {
    results: listed.map(placementRecord),
    cursor: encodeCursor(list, [last?.day ?? place.afterDay, last?.placement_id ?? place.afterId]),
    more: lines.length > perPage,
  };
}
