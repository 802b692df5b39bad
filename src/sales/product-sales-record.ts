import { ratioHalfUp } from '../shared/numbers.ts';
import type { ProductSalesRow } from './product-queries.ts';

/** The figures that clients of other versions of the API read. Fees are null where they are not known. */
export interface ProductSalesTable {
  identifier: string;
  cost_basis: number | null;
  schedules: number;
  orders: number;
  revenue: number;
  fees: number | null;
  scheduling_fees: number | null;
}

/** In wire order, with amounts in the currency's major unit, for example dollars. */
export interface ProductSales extends ProductSalesTable {
  sell_rate: number;
  asp: number | null;
  table: ProductSalesTable;
}

/** `feesOfOrders` is in hundredths; undefined if the product has no orders. */
export function summarizeProduct(
  { identifier, cost_basis, schedules, orders, revenue }: ProductSalesRow,
  feesOfOrders: number | undefined,
): ProductSales {
  const figures = {
    identifier,
    cost_basis: cost_basis < 0 ? null : cost_basis,
    schedules,
    orders,
    revenue: revenue / 100,
  };
  const fees = { fees: feesOfOrders === undefined ? null : feesOfOrders / 100, scheduling_fees: null };
  return {
    ...figures,
    sell_rate: ratioHalfUp(orders, schedules, 4),
    asp: orders === 0 ? null : ratioHalfUp(revenue, orders * 100, 2),
    ...fees,
    table: { ...figures, ...fees },
  };
}
