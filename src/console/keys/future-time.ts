import type { ParameterType } from '../../http/parameters/types.ts';
import { parseTime } from '../../shared/timestamps.ts';

/** Future times, read as milliseconds since 1970. */
export function futureTime(now: () => number): ParameterType<number> {
  return {
    expected: 'an RFC 3339 time in the future, such as 2030-01-31T12:00:00Z',
    schema: { type: 'string', format: 'date-time' },
    read: ({ kind, text }) => {
      const time = kind === 'text' || kind === 'string' ? parseTime(text.trim()) : undefined;
      return time !== undefined && time > now() ? time : undefined;
    },
  };
}
