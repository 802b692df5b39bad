import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { IconBox } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { DownloadCsv } from './download-csv.tsx';
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
  const page = useQuery(productSalesQuery(search));
  const { data } = page;
  const { duration = DEFAULT_DURATION } = search;
  const choose = (value: string): void =>
    void navigate({
      to: '/sales',
      search: { ...search, page: '', duration: value === DEFAULT_DURATION ? '' : value },
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
      <DownloadCsv name={`products-${duration}`} columns={columns} rows={data?.products} label="By product" />
    </span>
  );
  return (
    <Panel title="By product" aside={controls} flush>
      <Loaded query={page} skeleton={6}>
        {({ products }) =>
          products.length === 0 ? (
            <EmptyState
              Icon={IconBox}
              title="No auctions"
              description="None of your products was auctioned in this period."
            />
          ) : (
            <Table
              rows={products}
              keyOf={({ identifier }) => identifier}
              columns={[
                {
                  label: 'Product',
                  kind: 'lead',
                  cell: ({ identifier }) => (
                    <Link
                      to="/sales"
                      search={{ ...search, month: '', product: identifier }}
                      className={styles.link ?? ''}
                    >
                      {identifier}
                    </Link>
                  ),
                },
                { label: 'Revenue', kind: 'number', cell: ({ revenue }) => money(revenue) },
                { label: 'Sold', kind: 'number', cell: ({ orders }) => whole(orders) },
                { label: 'Auctions', kind: 'number', cell: ({ schedules }) => whole(schedules) },
                { label: 'Sell rate', kind: 'number', cell: ({ sell_rate: rate }) => percent(rate) },
                { label: 'Average price', kind: 'number', cell: ({ asp }) => valueOrDash(asp, money) },
              ]}
            />
          )
        }
      </Loaded>
      {data !== undefined && data.total_entries > data.per_page && (
        <div className={styles.pager}>
          <Pager to="/sales" search={search} shown={data} items="products" />
        </div>
      )}
    </Panel>
  );
}
