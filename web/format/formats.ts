/** How a merchant reads figures and times: in the browser's language and the merchant's time zone. */
export class Formats {
  readonly timeZone: string;
  readonly #whole = new Intl.NumberFormat();
  readonly #money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  readonly #amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  readonly #plain = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 });
  readonly #percent = new Intl.NumberFormat(undefined, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  readonly #wholePercent = new Intl.NumberFormat(undefined, { style: 'percent' });
  readonly #rating = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  readonly #day: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  readonly #shortMonth = new Intl.DateTimeFormat(undefined, {
    month: 'short',
    year: '2-digit',
    timeZone: 'UTC',
  });
  readonly #ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

  constructor(timeZone: string) {
    this.timeZone = timeZone;
    this.#day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone });
    this.#time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  }

  readonly whole = (value: number): string => this.#whole.format(value);
  readonly money = (value: number): string => this.#money.format(value);
  /** Money as it was given, with more than two decimals where it has them. */
  readonly amount = (value: number): string => this.#amount.format(value);
  readonly plain = (value: number): string => this.#plain.format(value);
  readonly wholePercent = (value: number): string => this.#wholePercent.format(value);
  readonly percent = (value: number): string => this.#percent.format(value);
  readonly rating = (value: number): string => this.#rating.format(value);
  readonly day = (time: string): string => this.#day.format(new Date(time));
  readonly time = (time: string): string => this.#time.format(new Date(time));
  /** Of `YYYY-MM`. */
  readonly month = (month: string): string => this.#month.format(new Date(`${month}-01T00:00:00Z`));
  readonly shortMonth = (month: string): string => this.#shortMonth.format(new Date(`${month}-01T00:00:00Z`));

  /** “3 minutes ago”; the day where it is longer ago than a month. */
  readonly ago = (time: string): string => {
    const seconds = (Date.parse(time) - Date.now()) / 1000;
    const size = Math.abs(seconds);
    if (size < 60) return this.#ago.format(0, 'second');
    if (size < 3600) return this.#ago.format(Math.round(seconds / 60), 'minute');
    if (size < 86_400) return this.#ago.format(Math.round(seconds / 3600), 'hour');
    if (size < 30 * 86_400) return this.#ago.format(Math.round(seconds / 86_400), 'day');
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
