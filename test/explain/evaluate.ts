import assert from 'node:assert/strict';

/** A line of a list: a schedule, a placement, a product or an order. */
export type Line = Readonly<Record<string, unknown>>;

/** Calculates each figure from its lines alone. */
export const evaluators: Readonly<Record<string, (lines: readonly Line[]) => number | null>> = {
  'sales.schedules': count,
  'sales.sell_rate': soldShare,
  'sales.asp': averagePrice,
  'sales.product_rating': (lines) =>
    divide(total(lines, 'rating'), 10_000 * lines.filter(({ rating }) => rating !== null).length, 2),
  'sales.total_sales': (lines) => inMajorUnit(total(lines, 'sale_price')),
  'product_sales.schedules': count,
  'product_sales.orders': (lines) => sold(lines).length,
  'product_sales.revenue': (lines) => inMajorUnit(total(lines, 'sale_price')),
  'product_sales.sell_rate': soldShare,
  'product_sales.asp': averagePrice,
  'product_sales.fees': (lines) => {
    const kept = lines.filter(({ status }) => status !== 'canceled');
    return kept.length === 0 ? null : inMajorUnit(total(kept, 'seller_fees_amount'));
  },
  'performance.placements': count,
  'performance.spend': spend,
  'performance.orders': (lines) => withRevenue(lines).length,
  'performance.revenue': (lines) => inMajorUnit(total(lines, 'revenue')),
  'performance.sell_rate': (lines) => divide(withRevenue(lines).length, lines.length, 4),
  'performance.cost_per_order': (lines) =>
    divide(total(lines, 'price'), 10_000 * withRevenue(lines).length, 2),
  'performance.return_on_spend': (lines) => divide(total(lines, 'revenue'), total(lines, 'price'), 4),
  'campaigns.products': count,
  'campaigns.spend_today': spend,
  'campaigns.spend': spend,
  'campaigns.placements': count,
};

function count(lines: readonly Line[]): number {
  return lines.length;
}

function sold(lines: readonly Line[]): Line[] {
  return lines.filter((line) => line.sold === true);
}

function soldShare(lines: readonly Line[]): number | null {
  return divide(sold(lines).length, lines.length, 4);
}

function averagePrice(lines: readonly Line[]): number | null {
  return divide(total(lines, 'sale_price'), 10_000 * sold(lines).length, 2);
}

function spend(lines: readonly Line[]): number {
  return inMajorUnit(total(lines, 'price'));
}

function withRevenue(lines: readonly Line[]): Line[] {
  return lines.filter(({ revenue }) => revenue !== null);
}

/** The sum of a field, in ten-thousandths. */
function total(lines: readonly Line[], field: string): number {
  let sum = 0;
  for (const line of lines) {
    const value = line[field];
    if (value === null) continue;
    assert.ok(typeof value === 'number', `${field} is ${value}`);
    sum += Math.round(value * 10_000);
  }
  return sum;
}

function inMajorUnit(tenThousandths: number): number {
  return tenThousandths / 10_000;
}

/** Divides digit by digit, and rounds half up. Null for a division by 0. */
function divide(numerator: number, denominator: number, decimals: number): number | null {
  if (denominator === 0) return null;
  let digits = String(Math.floor(numerator / denominator));
  let rest = numerator % denominator;
  for (let digit = 0; digit < decimals; digit += 1) {
    digits += String(Math.floor((rest * 10) / denominator));
    rest = (rest * 10) % denominator;
  }
  const rounded = BigInt(digits) + (rest * 2 >= denominator ? 1n : 0n);
  return Number(rounded) / 10 ** decimals;
}
