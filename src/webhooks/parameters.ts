import { errors } from '../errors/errors.ts';
import type { EventType } from '../events/event-types.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { pageParameters } from '../http/parameters/page.ts';
import { boolean, clearable, instant, type ParameterType, text } from '../http/parameters/types.ts';
import { MAX_URL_LENGTH, type ReceiverOwner } from './receiver-address.ts';
import type { Replay } from './replay-events.ts';

const MAX_DESCRIPTION_LENGTH = 200;
const MAX_EVENT_ID_LENGTH = 60;

function urlOf(owner: ReceiverOwner) {
  return {
    type: text(MAX_URL_LENGTH),
    description:
      owner === 'merchant'
        ? 'An https:// URL with a public address, and port 443 or 8443.'
        : 'An https:// URL with a public address, or one in the networks of WEBHOOK_NETWORKS.',
    example: 'https://shop.example/tradepost',
  };
}

export function createParameters(owner: ReceiverOwner, types: ParameterType<EventType[]>) {
  return {
    url: { ...urlOf(owner), required: true },
    types: {
      ...clearable(types),
      description: 'The types of events to send. All by default; `null` for all.',
    },
    description: {
      ...clearable(text(MAX_DESCRIPTION_LENGTH)),
      description: 'A note for people. `null` clears it.',
      example: 'Order system',
    },
  } as const;
}

export function changeParameters(owner: ReceiverOwner, types: ParameterType<EventType[]>) {
  return {
    ...createParameters(owner, types),
    url: urlOf(owner),
    enabled: { type: boolean, description: 'Whether events are sent.' },
  } as const;
}

export const replayParameters = {
  event_id: {
    type: text(MAX_EVENT_ID_LENGTH),
    description: 'The ID of one event.',
    example: 'evt_064c1b0a1d0f35b7a1c42d7e93f0d8',
  },
  since: {
    type: instant,
    description: 'Events that occurred at this time or later.',
    example: '2026-03-02T00:00:00Z',
  },
  until: { type: instant, description: 'Events that occurred before this time; by default, until now.' },
  only_failed: {
    type: boolean,
    description: 'Whether to send only events whose delivery has failed.',
    default: false,
  },
} as const;

export const deliveriesParameters = {
  ...pageParameters('deliveries'),
  only_failed: { type: boolean, description: 'Whether to list only failed deliveries.', default: false },
} as const;

/** @throws {DomainError} `invalid_parameters` unless a replay names one event or a time */
export function requireOneChoice({
  event_id: eventId,
  since,
}: BoundParameters<typeof replayParameters>): void {
  if ((eventId === undefined) === (since === undefined))
    throw errors.invalid_parameters([{ field: 'since', reason: 'expected either since or event_id' }]);
}

/** `now` is the default of `until`. */
export function replayOf(
  { event_id: eventId, since = 0, until, only_failed }: BoundParameters<typeof replayParameters>,
  defaults: { onlyFailed: boolean; now: number },
): Replay {
  if (eventId !== undefined) return { eventId };
  return { since, until: until ?? defaults.now + 1, onlyFailed: only_failed ?? defaults.onlyFailed };
}
