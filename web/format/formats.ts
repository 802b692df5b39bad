const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** Formats numbers, money, and times in the browser's language and the merchant's currency and time zone. */
export class Formats {
  readonly timeZone: string;
  /** Formats the day of an RFC 3339 time. */
  readonly day: (time: string) => string;
  readonly time: (time: string) => string;
  /** Formats the time of day, such as “6:30 PM”. */
  readonly clock: (time: string) => string;
  /** Formats the day of a time as “Nov 24”. */
  readonly shortDay: (time: string) => string;
  /** Formats the hour of a time as “6 AM”. */
  readonly hour: (time: string) => string;
  /** Formats an amount of the merchant's currency with two decimals, such as “$21,095.42”. */
  readonly money: (value: number) => string;
  /** Returns the symbol of the merchant's currency, to be shown before an input. */
  readonly currencySymbol: () => string;
  readonly #shortMonth = lazy(
    () => new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' }),
  );
  readonly #range = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }));
  readonly #relative = lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }));

  /** With one currency, “$” is clear without its country, which `symbol` adds where there are several. */
  constructor(
    timeZone: string,
    currency: string,
    currencyDisplay: 'narrowSymbol' | 'symbol' = 'narrowSymbol',
  ) {
    this.timeZone = timeZone;
    this.money = numbers({ ...twoDecimals, style: 'currency', currency, currencyDisplay });
    this.currencySymbol = lazy(() => symbolOf(currency));
    this.day = times({ dateStyle: 'medium', timeZone });
    this.time = times({ dateStyle: 'medium', timeStyle: 'short', timeZone });
    this.clock = times({ timeStyle: 'short', timeZone });
    this.shortDay = times({ month: 'short', day: 'numeric', timeZone });
    this.hour = times({ hour: 'numeric', timeZone });
  }

  readonly whole = numbers();
  /** Formats a number of things, such as “1 product” or “2,000 products”. */
  readonly count = (number: number, noun: string): string =>
    `${this.whole(number)} ${noun}${number === 1 ? '' : 's'}`;
  readonly wholePercent = numbers({ style: 'percent' });
  readonly percent = numbers({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  readonly rating = numbers(twoDecimals);
  /** Formats a ratio as “4.91×”. */
  readonly multiple = (value: number): string => `${this.rating(value)}×`;
  /** Formats a day given as `YYYY-MM-DD`. */
  readonly calendarDay = days({ dateStyle: 'medium' });
  /** Formats a day given as `YYYY-MM-DD` as “Nov 24”. */
  readonly shortCalendarDay = days({ month: 'short', day: 'numeric' });
  /** Formats days given as `YYYY-MM-DD` as “Nov 1 – 24, 2026”. */
  readonly calendarRange = (from: string, to: string): string =>
    this.#range().formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
  /** Formats a month given as `YYYY-MM`. */
  readonly month = months({ month: 'long', year: 'numeric' });
  /** Formats a month given as `YYYY-MM` as “Jun ’26”. */
  readonly shortMonth = (month: string): string => {
    const parts = this.#shortMonth().formatToParts(new Date(`${month}-01T00:00:00Z`));
    return parts
      .map(({ type, value }, at) => (type === 'year' && at === parts.length - 1 ? `’${value}` : value))
      .join('');
  };

  /** Formats a time as “3 minutes ago”, or as a day if it is 30 days or more away. */
  readonly ago = (time: string): string => {
    const seconds = (Date.parse(time) - Date.now()) / 1000;
    const size = Math.abs(seconds);
    if (size < 60) return this.#relative().format(0, 'second');
    if (size < 3600) return this.#relative().format(Math.round(seconds / 60), 'minute');
    if (size < 86_400) return this.#relative().format(Math.round(seconds / 3600), 'hour');
    if (size < 30 * 86_400) return this.#relative().format(Math.round(seconds / 86_400), 'day');
    return this.day(time);
  };

  /** Formats a size as “329 bytes” or “1.5 MB”. */
  readonly bytes = (count: number): string => {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
    const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
    return new Intl.NumberFormat(undefined, {
      style: 'unit',
      unit: units[power] ?? 'byte',
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    }).format(count / 1000 ** power);
  };
}

function symbolOf(currency: string): string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Creates a value on first use: a formatter takes a millisecond, and no page needs all of them. */
function lazy<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}

function numbers(options?: Intl.NumberFormatOptions): (value: number) => string {
  const format = lazy(() => new Intl.NumberFormat(undefined, options));
  return (value) => format().format(value);
}

function times(options: Intl.DateTimeFormatOptions): (time: string) => string {
  const format = lazy(() => new Intl.DateTimeFormat(undefined, options));
  return (time) => format().format(new Date(time));
}

function months(options: Intl.DateTimeFormatOptions): (month: string) => string {
  const format = times({ ...options, timeZone: 'UTC' });
  return (month) => format(`${month}-01T00:00:00Z`);
}

function days(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = times({ ...options, timeZone: 'UTC' });
  return (day) => format(`${day}T00:00:00Z`);
}
