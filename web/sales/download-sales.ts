import type { MonthlySales } from '../../src/sales/monthly-sales.ts';

const columns = ['month', 'schedules', 'sell_rate', 'asp', 'product_rating', 'total_sales'] as const;

/** Saves the monthly figures as a CSV file, with the values of the API. */
export function downloadSales(months: MonthlySales[]): void {
  const rows = months.map((month) => columns.map((column) => month[column] ?? '').join(','));
  const file = new Blob([`${[columns.join(','), ...rows].join('\r\n')}\r\n`], { type: 'text/csv' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `sales-${months.at(-1)?.month ?? 'none'}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
