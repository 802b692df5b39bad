import { ratioHalfUp } from '../shared/numbers.ts';
import type { ProductSalesRow } from './queries.ts';

/** In wire order, with amounts in the currency's major unit, for example dollars. */
export interface ProductSales {
  identifier: string;
  cost_basis: number | null;
  schedules: number;
  orders: number;
  revenue: number;
  sell_rate: number;
  asp: number | null;
}

export function summarizeProduct({
  identifier,
  cost_basis,
  schedules,
  orders,
  revenue,
}: ProductSalesRow): ProductSales {
  return {
    identifier,
    cost_basis: cost_basis < 0 ? null : cost_basis,
    schedules,
    orders,
    revenue: revenue / 100,
    sell_rate: ratioHalfUp(orders, schedules, 4),
    asp: orders === 0 ? null : ratioHalfUp(revenue, orders * 100, 2),
  };
}
