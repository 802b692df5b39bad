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

/**
 * Returns a period of whole calendar days in a time zone. A day begins when the clocks first show its date,
 * so a day on which they change has 23 or 25 hours.
 */
export function periodIn(timeZone: string, duration: Duration, now: number): Period {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const [first, end] = days[duration];
  const startOf = (day: number): number =>
    today.add({ days: day }).toZonedDateTime(timeZone).epochMilliseconds;
  return { from: startOf(first), until: startOf(end) };
}

/** Returns the months that a period touches in any time zone: each is within a day of UTC. */
export function monthsAround({ from, until }: Period): string[] {
  const months = new Set<string>();
  for (let time = from - DAY_MS; time < until + 2 * DAY_MS; time += DAY_MS) {
    months.add(new Date(time).toISOString().slice(0, 7));
  }
  return [...months];
}
