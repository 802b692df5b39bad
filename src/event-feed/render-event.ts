import { modeOf, OPERATOR_ID } from '../database/sides.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { FeedRow } from './queries.ts';

/** Returns the JSON of a `ClientEvent`. */
export function renderEvent({
  id,
  type,
  occurred_at,
  merchant_id,
  external_id,
  revision,
  data,
}: FeedRow): string {
  const envelope = JSON.stringify({
    id,
    type,
    occurred_at: formatTime(occurred_at),
    merchant: merchant_id === OPERATOR_ID ? null : external_id,
    test: modeOf(merchant_id) === 'test',
    revision,
  });
  return `${envelope.slice(0, -1)},"data":${data}}`;
}
