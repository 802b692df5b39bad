import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { dayRange, requireOrderedDays } from '../http/parameters/day-range.ts';
import { calendarMonth, cursor, int32, oneOf, text } from '../http/parameters/types.ts';
import { type Days, type Duration, durations } from './periods.ts';
import type { DayRange } from './report.ts';

/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
const MAX_LENGTH = 1000;
export const MAX_PAGE_SIZE = 1000;
export const SCHEDULES_PER_PAGE = 50;

export const productSalesParameters = {
  duration: { type: oneOf(durations), required: true, description: 'The period.', example: 'last_week' },
  page: { type: int32(1), description: 'The page to return.', default: 1 },
  per_page: {
    type: int32(1, MAX_PAGE_SIZE),
    description: 'The number of products per page.',
    default: MAX_PAGE_SIZE,
    example: 100,
  },
} as const;

export const schedulesParameters = {
  changed_since: {
    type: cursor,
    description: 'The `cursor` of the previous response with `changed_since`, or `start` for all schedules.',
    example: 'start',
  },
  month: {
    type: calendarMonth,
    description: 'Returns the schedules of a month in the merchant’s time zone, as `YYYY-MM`.',
  },
  product_identifier: {
    type: text(MAX_LENGTH),
    description: 'Returns the schedules of the product with this unique ID.',
  },
  from: { ...dayRange.from, description: 'With `product_identifier`, the first day.' },
  to: { ...dayRange.to, description: 'With `product_identifier`, the last day.' },
  after: {
    type: cursor,
    description: 'With `month` or `product_identifier`, the `cursor` of the previous response.',
  },
  per_page: {
    type: int32(1, MAX_PAGE_SIZE),
    description: 'The maximum number of schedules per response.',
    default: SCHEDULES_PER_PAGE,
    example: 1000,
  },
} as const;

/**
 * Returns the period of a request that has either `duration`, or `from` and `to`.
 * @throws {DomainError} `invalid_parameters` otherwise, or if `to` is before `from`
 */
export function requirePeriod({
  duration,
  from,
  to,
}: Partial<Days> & { duration?: Duration | undefined }): { duration: Duration } | { days: DayRange } {
  if (duration !== undefined) {
    const sent = Object.entries({ from, to }).filter(([, day]) => day !== undefined);
    const problems = sent.map(([field]): Problem => ({ field, reason: 'not used with duration' }));
    if (problems.length > 0) throw errors.invalid_parameters(problems);
    return { duration };
  }
  if (from === undefined || to === undefined) {
    const reason = `missing, expected ${productSalesParameters.duration.type.expected}, or from and to`;
    throw errors.invalid_parameters([{ field: 'duration', reason }]);
  }
  requireOrderedDays({ from, to });
  return { days: { from, to } };
}
