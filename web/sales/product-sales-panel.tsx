import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ListedProductSales } from '../../src/console/catalog-api.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { ProductImage } from '../products/product-image.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { IconBox } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { SortHeader } from '../ui/sort-header.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { DownloadCsv } from './download-csv.tsx';
import { linkToAuctions } from './link-to-auctions.tsx';
import { DEFAULT_SORT, productSalesQuery } from './queries.ts';
import styles from './sales.module.css';
import type { SalesSearch } from './search.ts';

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

interface Props {
  search: SalesSearch;
  /** The days of the page; without `from` until they are known. */
  days: { from: string | undefined; to: string };
}

/** The products with auctions in the range of the page, a page at a time. Each column sorts all of them. */
export function ProductSalesPanel({ search, days }: Props) {
  const formats = useFormats();
  const page = useQuery(productSalesQuery(days, search));
  const { data } = page;
  const { from, to } = days;
  const sorted = { to: '/sales', search, sort: search.sort ?? DEFAULT_SORT } as const;
  const controls = (
    <span className={styles.controls}>
      <Order search={search} />
      <DownloadCsv
        name={`products-${from}-${to}`}
        columns={columns}
        rows={data?.products}
        label="By product"
      />
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
              description="No products were auctioned in this period."
            />
          ) : (
            <Table
              rows={products}
              keyOf={({ identifier }) => identifier}
              caption="Sales by product"
              columns={[
                {
                  label: 'Product',
                  kind: 'lead',
                  header: (
                    <SortHeader {...sorted} field="identifier" startsAscending>
                      Product
                    </SortHeader>
                  ),
                  cell: (sales) => <ProductName sales={sales} search={search} />,
                },
                ...figures.map(
                  ({ field, label, show }): Column<ListedProductSales> => ({
                    label,
                    kind: 'number',
                    header: (
                      <SortHeader {...sorted} field={field} number>
                        {label}
                      </SortHeader>
                    ),
                    cell: (sales) => (
                      <ExplainedFigure
                        query={{
                          figure: `product_sales.${field}`,
                          product_identifier: sales.identifier,
                          from,
                          to,
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

/** Leads to the product. */
function ProductName({
  sales: { identifier, product },
  search,
}: {
  sales: ListedProductSales;
  search: SalesSearch;
}) {
  return (
    <span className={styles.product}>
      <ProductImage url={product?.primary_image ?? null} />
      <span className={styles.names}>
        {product === null ? (
          identifier
        ) : (
          <Link
            to="/products/$product"
            params={{ product: String(product.internal_id) }}
            className={styles.link ?? ''}
          >
            {product.title ?? identifier}
          </Link>
        )}
        <span className={styles.identifier}>
          <span className="mono muted">{identifier}</span>
          <Link
            to="/sales"
            search={{ ...search, month: '', product: identifier }}
            aria-label={`Auctions of ${identifier}`}
          >
            Auctions
          </Link>
        </span>
      </span>
    </span>
  );
}

const orders = [
  { value: 'revenue_descending', label: 'Highest revenue' },
  { value: 'revenue_ascending', label: 'Lowest revenue' },
  { value: 'orders_descending', label: 'Most sold' },
  { value: 'sell_rate_descending', label: 'Highest sell rate' },
  { value: 'sell_rate_ascending', label: 'Lowest sell rate' },
  { value: 'asp_descending', label: 'Highest average price' },
  { value: 'identifier_ascending', label: 'Identifier' },
];

/** The order on phones, which show no headers. */
function Order({ search }: { search: SalesSearch }) {
  const navigate = useNavigate();
  const { page: _, sort = DEFAULT_SORT, ...rest } = search;
  return (
    <NativeSelect
      className={styles.order ?? ''}
      aria-label="Sort by"
      value={sort}
      data={withCurrent(orders, sort)}
      onChange={(event) =>
        void navigate({
          to: '/sales',
          search: { ...rest, sort: event.currentTarget.value },
          resetScroll: false,
        })
      }
    />
  );
}
