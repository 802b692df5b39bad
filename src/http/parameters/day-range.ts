import { errors } from '../../errors/errors.ts';
import { calendarDay } from './types.ts';

/** The first and the last day of a range. Either may be missing. */
export const dayRange = {
  from: {
    type: calendarDay,
    description: 'The first day, in the merchant’s time zone.',
    example: '2026-02-01',
  },
  to: { type: calendarDay, description: 'The last day, in the merchant’s time zone.', example: '2026-02-28' },
} as const;

/** @throws {DomainError} `invalid_parameters` for the parameter `last` if the last day is before the first */
export function requireOrderedDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  last = 'to',
): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw errors.invalid_parameters([{ field: last, reason: `expected ${from} or a later day` }]);
}
