import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ProductSales } from '../../src/sales/product-sales-record.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { IconBox } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { DownloadCsv } from './download-csv.tsx';
import { linkToAuctions } from './link-to-auctions.tsx';
import { DEFAULT_DURATION, productSalesQuery, type SalesSearch } from './queries.ts';
import styles from './sales.module.css';

const durations = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'last_week', label: 'Last 7 days' },
  { value: DEFAULT_DURATION, label: 'Last 30 days' },
];
const columns = ['identifier', 'cost_basis', 'schedules', 'orders', 'revenue', 'sell_rate', 'asp'] as const;

interface ProductFigure {
  field: 'revenue' | 'orders' | 'schedules' | 'sell_rate' | 'asp';
  label: string;
  show: (formats: Formats) => (value: number) => string;
}

const figures: ProductFigure[] = [
  { field: 'revenue', label: 'Revenue', show: ({ money }) => money },
  { field: 'orders', label: 'Sold', show: ({ whole }) => whole },
  { field: 'schedules', label: 'Auctions', show: ({ whole }) => whole },
  { field: 'sell_rate', label: 'Sell rate', show: ({ percent }) => percent },
  { field: 'asp', label: 'Average price', show: ({ money }) => money },
];

/** The products with auctions in a period, the highest revenue first. */
export function ProductSalesPanel({ search }: { search: SalesSearch }) {
  const formats = useFormats();
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
                      search={{ ...search, month: '', product: identifier, from: '', to: '' }}
                      className={styles.link ?? ''}
                    >
                      {identifier}
                    </Link>
                  ),
                },
                ...figures.map(
                  ({ field, label, show }): Column<ProductSales> => ({
                    label,
                    kind: 'number',
                    cell: (sales) => (
                      <ExplainedFigure
                        query={{
                          figure: `product_sales.${field}`,
                          product_identifier: sales.identifier,
                          duration,
                        }}
                        linkTo={linkToAuctions(search)}
                      >
                        {valueOrDash(sales[field], show(formats))}
                      </ExplainedFigure>
                    ),
                  }),
                ),
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
