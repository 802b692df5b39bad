import type { Locator } from 'playwright-core';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';

const LOCALE = 'en-GB';

type Field = Exclude<keyof MonthlySales, 'month'>;
const all: readonly Field[] = ['total_sales', 'schedules', 'sell_rate', 'asp', 'product_rating'];

export function shownMonth(month: string): string {
  const format = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** What the console shows for a month in a shop with dollars, its name first. */
export function shownSales(sales: MonthlySales, fields = all): string[] {
  return [shownMonth(sales.month), ...fields.map((field) => shown(field, sales[field]))];
}

function shown(field: Field, value: number | null): string {
  if (value === null) return '–\nnone';
  if (field === 'schedules') return value.toLocaleString(LOCALE);
  if (field === 'sell_rate') {
    return value.toLocaleString(LOCALE, { style: 'percent', minimumFractionDigits: 1 });
  }
  const digits = { minimumFractionDigits: 2 };
  if (field === 'product_rating') return value.toLocaleString(LOCALE, digits);
  return value.toLocaleString(LOCALE, {
    ...digits,
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
}

export async function pointAtMonth(chart: Locator, index: number, months: number): Promise<void> {
  const lines = await chart.locator('line').first().boundingBox();
  const box = await chart.boundingBox();
  if (lines === null || box === null) throw new Error('the chart is not shown');
  const x = lines.x - box.x + (lines.width * (index + 0.5)) / months;
  await chart.hover({ position: { x, y: box.height / 2 } });
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** The first day of the month so many months before a day's. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}
