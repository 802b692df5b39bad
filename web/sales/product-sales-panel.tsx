import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconBox } from '../ui/icons.ts';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { downloadCsv } from './download-csv.ts';
import { DEFAULT_DURATION, productSalesQuery, type SalesSearch } from './queries.ts';
import styles from './sales.module.css';

const durations = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'last_week', label: 'Last 7 days' },
  { value: DEFAULT_DURATION, label: 'Last 30 days' },
];
const columns = ['identifier', 'cost_basis', 'schedules', 'orders', 'revenue', 'sell_rate', 'asp'] as const;

/** The products with auctions in a period, the highest revenue first. */
export function ProductSalesPanel({ search }: { search: SalesSearch }) {
  const { whole, money, percent } = useFormats();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(productSalesQuery(search));
  const { duration = DEFAULT_DURATION, page: _, ...rest } = search;
  const choose = (value: string): void =>
    void navigate({
      to: '/sales',
      search: value === DEFAULT_DURATION ? rest : { ...rest, duration: value },
      resetScroll: false,
    });
  const controls = (
    <span className={styles.controls}>
      <NativeSelect
        aria-label="Period"
        value={duration}
        data={durations}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label="By product: CSV"
        disabled={data === undefined || data.products.length === 0}
        onClick={() => data && downloadCsv(`products-${duration}`, columns, data.products)}
      >
        CSV
      </Button>
    </span>
  );
  return (
    <Panel title="By product" aside={controls} flush>
      {data === undefined ? (
        error === null ? (
          <TableSkeleton rows={6} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : data.products.length === 0 ? (
        <EmptyState
          Icon={IconBox}
          title="No auctions"
          description="None of your products was auctioned in this period."
        />
      ) : (
        <div className="table-frame">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Product</th>
                <th scope="col" className="number">
                  Revenue
                </th>
                <th scope="col" className="number">
                  Sold
                </th>
                <th scope="col" className="number">
                  Auctions
                </th>
                <th scope="col" className="number">
                  Sell rate
                </th>
                <th scope="col" className="number">
                  Average price
                </th>
              </tr>
            </thead>
            <tbody>
              {data.products.map(({ identifier, revenue, orders, schedules, sell_rate: rate, asp }) => (
                <tr key={identifier}>
                  <td className="lead">
                    <Link
                      to="/sales"
                      search={{ ...search, month: '', product: identifier }}
                      className={styles.link ?? ''}
                    >
                      {identifier}
                    </Link>
                  </td>
                  <td data-label="Revenue" className="number">
                    {money(revenue)}
                  </td>
                  <td data-label="Sold" className="number">
                    {whole(orders)}
                  </td>
                  <td data-label="Auctions" className="number">
                    {whole(schedules)}
                  </td>
                  <td data-label="Sell rate" className="number">
                    {percent(rate)}
                  </td>
                  <td data-label="Average price" className="number">
                    {valueOrDash(asp, money)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data !== undefined && data.total_entries > data.per_page && (
        <div className={styles.pager}>
          <Pager to="/sales" search={search} shown={data} items="products" />
        </div>
      )}
    </Panel>
  );
}
