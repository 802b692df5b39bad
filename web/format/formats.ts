/** How a merchant reads figures and times: in the browser's language and the merchant's time zone. */
export class Formats {
  readonly timeZone: string;
  /** Of a time as the API writes it. */
  readonly day: (time: string) => string;
  readonly time: (time: string) => string;
  readonly #ago = onceMade(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }));

  constructor(timeZone: string) {
    this.timeZone = timeZone;
    this.day = times({ dateStyle: 'medium', timeZone });
    this.time = times({ dateStyle: 'medium', timeStyle: 'short', timeZone });
  }

  readonly whole = numbers();
  readonly money = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  /** Money as it was given, with more than two decimals where it has them. */
  readonly amount = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 6 });
  readonly plain = numbers({ maximumFractionDigits: 6 });
  readonly wholePercent = numbers({ style: 'percent' });
  readonly percent = numbers({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  readonly rating = this.money;
  /** Of `YYYY-MM`. */
  readonly month = months({ month: 'long', year: 'numeric' });
  readonly shortMonth = months({ month: 'short', year: '2-digit' });

  /** “3 minutes ago”; the day where it is longer ago than a month. */
  readonly ago = (time: string): string => {
    const seconds = (Date.parse(time) - Date.now()) / 1000;
    const size = Math.abs(seconds);
    if (size < 60) return this.#ago().format(0, 'second');
    if (size < 3600) return this.#ago().format(Math.round(seconds / 60), 'minute');
    if (size < 86_400) return this.#ago().format(Math.round(seconds / 3600), 'hour');
    if (size < 30 * 86_400) return this.#ago().format(Math.round(seconds / 86_400), 'day');
    return this.day(time);
  };

  readonly bytes = (count: number): string => {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
    const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
    return new Intl.NumberFormat(undefined, {
      style: 'unit',
      unit: units[power] ?? 'byte',
      maximumFractionDigits: power === 0 ? 0 : 1,
    }).format(count / 1000 ** power);
  };
}

/** Makes something when it is first asked for: a formatter takes a millisecond, and no page needs them all. */
function onceMade<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

function numbers(options?: Intl.NumberFormatOptions): (value: number) => string {
  const format = onceMade(() => new Intl.NumberFormat(undefined, options));
  return (value) => format().format(value);
}

function times(options: Intl.DateTimeFormatOptions): (time: string) => string {
  const format = onceMade(() => new Intl.DateTimeFormat(undefined, options));
  return (time) => format().format(new Date(time));
}

function months(options: Intl.DateTimeFormatOptions): (month: string) => string {
  const format = times({ ...options, timeZone: 'UTC' });
  return (month) => format(`${month}-01T00:00:00Z`);
}
