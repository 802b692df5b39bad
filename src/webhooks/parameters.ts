import type { EventType } from '../events/event-types.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { boolean, clearable, instant, int32, type ParameterType, text } from '../http/parameters/types.ts';
import type { WebhookFields } from './manage-webhooks.ts';
import { MAX_URL_LENGTH } from './receiver-address.ts';
import type { Replay } from './replay-events.ts';

const MAX_DESCRIPTION_LENGTH = 200;
const MAX_EVENT_ID_LENGTH = 60;

/** Returns the parameters of a new webhook. `types` reads types of events. */
export function createParameters(types: ParameterType<EventType[]>) {
  return {
    url: { type: text(MAX_URL_LENGTH), required: true },
    types: clearable(types),
    description: clearable(text(MAX_DESCRIPTION_LENGTH)),
  } as const;
}

/** Returns the parameters of a change of a webhook. */
export function changeParameters(types: ParameterType<EventType[]>) {
  return {
    ...createParameters(types),
    url: { type: text(MAX_URL_LENGTH) },
    enabled: { type: boolean },
  } as const;
}

/** The parameters of a replay: one event, or a time. */
export const replayParameters = {
  event_id: { type: text(MAX_EVENT_ID_LENGTH) },
  since: { type: instant },
  until: { type: instant },
  only_failed: { type: boolean },
} as const;

/** Returns the parameters of a page of deliveries. */
export function deliveriesParameters(maxLimit: number) {
  return {
    before: { type: int32(1) },
    limit: { type: int32(1, maxLimit) },
    only_failed: { type: boolean },
  } as const;
}

/** Returns the fields of a new webhook. */
export function newFields({
  url,
  types,
  description,
}: BoundParameters<ReturnType<typeof createParameters>>): WebhookFields {
  return { url, types: types ?? [], description: description ?? '' };
}

/** Returns the fields that a change states. Null clears them. */
export function changedFields({
  url,
  types,
  description,
  enabled,
}: BoundParameters<ReturnType<typeof changeParameters>>): Partial<WebhookFields> & { enabled?: boolean } {
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: types ?? [] }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(enabled !== undefined && { enabled }),
  };
}

/** Returns the events to send again. `now` is the end of the time if none is stated. */
export function replayOf(
  { event_id: eventId, since = 0, until, only_failed }: BoundParameters<typeof replayParameters>,
  defaults: { onlyFailed: boolean; now: number },
): Replay {
  if (eventId !== undefined) return { eventId };
  return { since, until: until ?? defaults.now + 1, onlyFailed: only_failed ?? defaults.onlyFailed };
}

/** Returns the page of deliveries to list. */
export function deliveriesPageOf(
  {
    before,
    limit,
    only_failed: onlyFailed = false,
  }: BoundParameters<ReturnType<typeof deliveriesParameters>>,
  defaultLimit: number,
): { before?: number; limit: number; onlyFailed: boolean } {
  return { limit: limit ?? defaultLimit, onlyFailed, ...(before !== undefined && { before }) };
}
