export const durations = ['today', 'yesterday', 'last_week', 'last_30_days'] as const;
export type Duration = (typeof durations)[number];

/** A time from `from` to before `until`, in milliseconds since 1970. */
interface Period {
  from: number;
  until: number;
}

const DAY_MS = 86_400_000;

/** The first day of each period and the day after its last one, counted from today. */
const days: Readonly<Record<Duration, [first: number, end: number]>> = {
  today: [0, 1],
  yesterday: [-1, 0],
  last_week: [-7, 0],
  last_30_days: [-30, 0],
};

/** Returns the first and the last day of a period in a time zone, as `YYYY-MM-DD`. */
export function daysOf(timeZone: string, duration: Duration, now: number): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const [first, end] = days[duration];
  return { from: today.add({ days: first }).toString(), to: today.add({ days: end - 1 }).toString() };
}

/** The first and the last day, as `YYYY-MM-DD`; undefined for any. */
export interface Days {
  from: string | undefined;
  to: string | undefined;
}

/**
 * Returns the time of whole calendar days in a time zone. A day begins when the clocks first show its date,
 * so a day on which they change has 23 or 25 hours.
 */
export function periodOfDays(timeZone: string, { from, to }: Days): Period {
  const startOf = (day: string, later: number): number =>
    Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(timeZone).epochMilliseconds;
  return {
    from: from === undefined ? Number.MIN_SAFE_INTEGER : startOf(from, 0),
    until: to === undefined ? Number.MAX_SAFE_INTEGER : startOf(to, 1),
  };
}

/** Returns the months that a period touches in any time zone: each is within a day of UTC. */
export function monthsAround({ from, until }: Period): string[] {
  const months = new Set<string>();
  for (let time = from - DAY_MS; time < until + 2 * DAY_MS; time += DAY_MS) {
    months.add(new Date(time).toISOString().slice(0, 7));
  }
  return [...months];
}
