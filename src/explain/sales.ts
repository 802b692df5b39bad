import { errors } from '../errors/errors.ts';
import { findProductId } from '../products/record/queries.ts';
import { monthlySalesFigures, productSalesFigures } from '../sales/figures.ts';
import { type MonthlySales, monthlySales } from '../sales/monthly-sales.ts';
import { daysOf, periodOfDays } from '../sales/periods.ts';
import { summarizeProduct } from '../sales/product-sales-record.ts';
import { sumFeesOfProduct, sumSchedulesOfProduct } from '../sales/queries.ts';
import { requirePeriod } from '../sales/sales-parameters.ts';
import { explainedFigures } from './explained-figure.ts';

/** A month without schedules, of which there is no record. */
const EMPTY_MONTH: Record<keyof typeof monthlySalesFigures, number | null> = {
  schedules: 0,
  sell_rate: null,
  asp: null,
  product_rating: null,
  total_sales: 0,
};

const monthlySalesExplained = explainedFigures<Exclude<keyof MonthlySales, 'month'>>({
  figures: monthlySalesFigures,
  required: ['month'],
  optional: [],
  async find({ reader, merchantId }, { month }, field) {
    const months = await monthlySales({ database: reader }, merchantId);
    const record = months.find((each) => each.month === month);
    const value = (record ?? EMPTY_MONTH)[field];
    return { value, lines: record?.schedules ?? 0, path: 'schedules', query: { month } };
  },
});

const productSalesExplained = explainedFigures<keyof typeof productSalesFigures>({
  figures: productSalesFigures,
  required: ['product_identifier', 'duration'],
  optional: ['from', 'to'],
  async find(source, { product_identifier: identifier = '', ...selection }, field) {
    const { reader, merchantId, timeZone, now } = source;
    const period = requirePeriod(selection);
    const product = await reader.first(findProductId, { merchantId, identifier });
    if (product === undefined) throw errors.product_not_found(identifier);
    const days = 'days' in period ? period.days : daysOf(timeZone, period.duration, now);
    const of = { merchantId, productId: product.internal_id, ...periodOfDays(timeZone, days) };
    if (field === 'fees') {
      const { orders = 0, fees = null } = (await reader.first(sumFeesOfProduct, of)) ?? {};
      const query = { product_identifier: identifier, paid_from: days.from, paid_to: days.to };
      return {
        value: fees === null ? null : fees / 100,
        lines: orders,
        path: 'orders',
        query: { ...query, sort: 'paid_at_asc' },
      };
    }
    const sums = await reader.first(sumSchedulesOfProduct, of);
    const { schedules = 0, orders, revenue } = sums ?? {};
    return {
      value: salesOfProduct({ schedules, orders: orders ?? 0, revenue: revenue ?? 0 })[field],
      lines: schedules,
      path: 'schedules',
      query: { product_identifier: identifier, ...days },
    };
  },
});

export const salesExplained = [...monthlySalesExplained, ...productSalesExplained];

/** A product without schedules has no record. */
function salesOfProduct(sums: { schedules: number; orders: number; revenue: number }) {
  if (sums.schedules === 0) return { schedules: 0, orders: 0, revenue: 0, sell_rate: null, asp: null };
  const row = { product_id: 0, identifier: '', cost_basis: -1, products: 1, ...sums };
  return summarizeProduct(row, undefined);
}
