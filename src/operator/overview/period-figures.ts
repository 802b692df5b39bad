import type { Reader } from '../../database/database.ts';
import { listCurrencies } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { readMarketplace } from '../../operators/marketplace.ts';
import { sumRecentSpend } from '../../placements/performance/queries.ts';
import { TOTAL_MS } from '../../requests/call-totals.ts';
import { type CallTotalRow, countActiveMerchants, listCallTotals } from '../../requests/queries.ts';
import { sumRecentSales } from '../../sales/queries.ts';
import { amountOf } from '../../shared/amounts.ts';
import { formatTime } from '../../shared/timestamps.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const DAY_HOURS = 24;
const WEEK_DAYS = 7;
const weekDays = [0, 1, 2, 3, 4, 5, 6] as const;

export const periods = ['day', 'week'] as const;
export type Period = (typeof periods)[number];

/** A figure of the period, and of the same time before it. */
export interface Compared {
  current: number;
  previous: number;
  /** Of the period's equal parts, oldest first: 24 hours, or 7 days. Empty if it is not known by part. */
  parts: number[];
}

export interface SalesIn {
  currency: string;
  sold: Compared;
  /** In the major unit, such as euros. */
  amount: Compared;
}

export interface SpendIn {
  currency: string;
  amount: Compared;
}

export interface PeriodFigures {
  period: Period;
  since: string;
  calls: Compared;
  failed_calls: Compared;
  active_merchants: Compared;
  /** By currency, the most sales first. */
  sales: SalesIn[];
  ad_spend_from: string;
  ad_spend_to: string;
  ad_spend: SpendIn[];
}

export interface AmountIn {
  currency: string;
  amount: number;
}

interface Services {
  database: Pick<Reader, 'all' | 'first'>;
  now: () => number;
}

/** Reads the figures of the last 24 hours and of the last seven days, and what ads cost today. */
export async function readPeriods(
  services: Services,
): Promise<{ periods: PeriodFigures[]; ad_spend_today: AmountIn[] }> {
  const now = services.now();
  const currencyOf = await readCurrencies(services);
  const since = startOf(now - 2 * WEEK_DAYS * DAY_MS, TOTAL_MS) - TOTAL_MS;
  const [totals, sales, { days, spend, today }] = await Promise.all([
    services.database.all(listCallTotals, { since }),
    readSales(services, now, currencyOf),
    readSpend(services, now, currencyOf),
  ]);
  const figures = await Promise.all(
    periods.map(async (period): Promise<PeriodFigures> => {
      const length = period === 'day' ? DAY_MS : WEEK_DAYS * DAY_MS;
      return {
        period,
        since: formatTime(now - length),
        ...callsOf(totals, { now, length, parts: period === 'day' ? DAY_HOURS : WEEK_DAYS }),
        active_merchants: await readActive(services, now, length),
        sales: sales[period],
        ad_spend_from: period === 'day' ? days.day : days.week,
        ad_spend_to: days.day,
        ad_spend: spend[period],
      };
    }),
  );
  return { periods: figures, ad_spend_today: today };
}

/** Calls are counted by ten minutes. `length` is in milliseconds. */
function callsOf(
  totals: readonly CallTotalRow[],
  { now, length, parts }: { now: number; length: number; parts: number },
): Pick<PeriodFigures, 'calls' | 'failed_calls'> {
  const begin = startOf(now - length, TOTAL_MS);
  const beginBefore = startOf(begin - length, TOTAL_MS);
  const sum = (column: 'requests' | 'failed'): Compared => {
    const figure: Compared = { current: 0, previous: 0, parts: Array<number>(parts).fill(0) };
    for (const { since, [column]: count } of totals) {
      if (since < beginBefore) continue;
      if (since < begin) figure.previous += count;
      else {
        figure.current += count;
        const part = Math.min(parts - 1, Math.floor((since - begin) / (length / parts)));
        figure.parts[part] = (figure.parts[part] ?? 0) + count;
      }
    }
    return figure;
  };
  return { calls: sum('requests'), failed_calls: sum('failed') };
}

/** Merchants with calls are known by hours. */
async function readActive({ database }: Services, now: number, length: number): Promise<Compared> {
  const activeIn = async (until: number): Promise<number> => {
    const hours = { since: startOf(until - length, HOUR_MS), until };
    return (await database.first(countActiveMerchants, hours))?.merchants ?? 0;
  };
  const [current, previous] = await Promise.all([
    activeIn(now + 1),
    activeIn(startOf(now - length, HOUR_MS)),
  ]);
  return { current, previous, parts: [] };
}

function startOf(time: number, part: number): number {
  return time - (time % part);
}

type CurrencyOf = (merchantId: number) => string;

async function readCurrencies({ database }: Services): Promise<CurrencyOf> {
  const currencies = new Map<number, string>();
  for (const { currency, ids } of await database.all(listCurrencies))
    for (const id of ids.split(',')) currencies.set(Number(id), currency);
  // A merchant that was created just now may be missing.
  return (merchantId) => currencies.get(merchantId) ?? '';
}

async function readSales(
  { database }: Services,
  now: number,
  currencyOf: CurrencyOf,
): Promise<Record<Period, SalesIn[]>> {
  const weekBefore = now - 2 * WEEK_DAYS * DAY_MS;
  // A day earlier and later, because merchants have different time zones.
  const months = new Set(
    [weekBefore - DAY_MS, now - WEEK_DAYS * DAY_MS, now + DAY_MS].map((time) =>
      new Date(time).toISOString().slice(0, 7),
    ),
  );
  const rows = await database.all(sumRecentSales, {
    months: [...months],
    day: now - DAY_MS,
    dayBefore: now - 2 * DAY_MS,
    week: now - WEEK_DAYS * DAY_MS,
    weekBefore,
    now,
  });
  const sums = sumByCurrency(rows, currencyOf);
  const of = (period: Period): SalesIn[] =>
    sums
      .map(([currency, sum]) => ({
        currency,
        sold: { current: sum(`${period}_sold`), previous: sum(`${period}_before_sold`), parts: [] },
        amount: {
          current: sum(`${period}_sales`) / 100,
          previous: sum(`${period}_before_sales`) / 100,
          parts: period === 'day' ? [] : weekDays.map((day) => sum(`week_sales_${day}`) / 100),
        },
      }))
      .filter(({ sold }) => sold.current > 0 || sold.previous > 0)
      .sort(byAmount);
  return { day: of('day'), week: of('week') };
}

/** Placements belong to days of the merchant's calendar: the last ones that ended in the marketplace. */
async function readSpend(
  { database }: Services,
  now: number,
  currencyOf: CurrencyOf,
): Promise<{
  days: { day: string; week: string };
  spend: Record<Period, SpendIn[]>;
  today: AmountIn[];
}> {
  const { time_zone: timeZone } = await readMarketplace(database);
  const today = dayIn(timeZone)(now);
  const days = {
    today,
    day: daysBefore(today, 1),
    dayBefore: daysBefore(today, 2),
    week: daysBefore(today, WEEK_DAYS),
    weekBefore: daysBefore(today, 2 * WEEK_DAYS),
    week_0: daysBefore(today, 7),
    week_1: daysBefore(today, 6),
    week_2: daysBefore(today, 5),
    week_3: daysBefore(today, 4),
    week_4: daysBefore(today, 3),
    week_5: daysBefore(today, 2),
    week_6: daysBefore(today, 1),
  };
  const sums = sumByCurrency(await database.all(sumRecentSpend, days), currencyOf);
  const of = (period: Period): SpendIn[] =>
    sums
      .map(([currency, sum]) => ({
        currency,
        amount: {
          current: amountOf(sum(period)),
          previous: amountOf(sum(`${period}_before`)),
          parts: period === 'day' ? [] : weekDays.map((day) => amountOf(sum(`week_${day}`))),
        },
      }))
      .filter(({ amount }) => amount.current > 0 || amount.previous > 0)
      .sort(byAmount);
  const spentToday = sums.map(([currency, sum]) => ({ currency, amount: amountOf(sum('today')) }));
  return {
    days,
    spend: { day: of('day'), week: of('week') },
    today: spentToday.filter(({ amount }) => amount > 0).sort((one, other) => other.amount - one.amount),
  };
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

function byAmount(one: { amount: Compared }, other: { amount: Compared }): number {
  return other.amount.current - one.amount.current;
}

/** Returns, for each currency, the sum of a column over the rows of its merchants. */
function sumByCurrency<Row extends { merchant_id: number }>(
  rows: readonly Row[],
  currencyOf: CurrencyOf,
): [string, (column: Exclude<keyof Row, 'merchant_id'>) => number][] {
  const byCurrency = Map.groupBy(rows, ({ merchant_id: id }) => currencyOf(id));
  // Of a merchant that was created just now.
  byCurrency.delete('');
  return [...byCurrency].map(([currency, some]) => [
    currency,
    (column) => some.reduce((sum, row) => sum + Number(row[column]), 0),
  ]);
}
