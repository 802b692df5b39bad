import type { EventType } from '../events/event-types.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { boolean, clearable, instant, int32, type ParameterType, text } from '../http/parameters/types.ts';
import type { WebhookFields } from './manage-webhooks.ts';
import { MAX_URL_LENGTH } from './receiver-address.ts';
import type { Replay } from './replay-events.ts';

const MAX_DESCRIPTION_LENGTH = 200;
const MAX_EVENT_ID_LENGTH = 60;

export function createParameters(types: ParameterType<EventType[]>) {
  return {
    url: { type: text(MAX_URL_LENGTH), required: true },
    types: clearable(types),
    description: clearable(text(MAX_DESCRIPTION_LENGTH)),
  } as const;
}

export function changeParameters(types: ParameterType<EventType[]>) {
  return {
    ...createParameters(types),
    url: { type: text(MAX_URL_LENGTH) },
    enabled: { type: boolean },
  } as const;
}

export const replayParameters = {
  event_id: { type: text(MAX_EVENT_ID_LENGTH) },
  since: { type: instant },
  until: { type: instant },
  only_failed: { type: boolean },
} as const;

export function deliveriesParameters(maxLimit: number) {
  return {
    before: { type: int32(1) },
    limit: { type: int32(1, maxLimit) },
    only_failed: { type: boolean },
  } as const;
}

export function newFields({
  url,
  types,
  description,
}: BoundParameters<ReturnType<typeof createParameters>>): WebhookFields {
  return { url, types: types ?? [], description: description ?? '' };
}

/** Null clears a field. */
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

/** `now` is the default of `until`. */
export function replayOf(
  { event_id: eventId, since = 0, until, only_failed }: BoundParameters<typeof replayParameters>,
  defaults: { onlyFailed: boolean; now: number },
): Replay {
  if (eventId !== undefined) return { eventId };
  return { since, until: until ?? defaults.now + 1, onlyFailed: only_failed ?? defaults.onlyFailed };
}

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
