import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignPerformance } from '../../src/placements/performance/campaign-performance.ts';
import type { DayRange } from '../../src/sales/report.ts';
import { useFormats } from '../format/use-formats.ts';
import { DownloadCsv } from '../sales/download-csv.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { figureFields, figures } from './figures.ts';
import styles from './placements.module.css';
import { productResultsQuery, type ResultsSearch } from './queries.ts';

const columns = ['product_identifier', ...figureFields] as const;
const orders = [
  { value: '', label: 'Highest spend' },
  { value: 'return_on_spend_descending', label: 'Highest return' },
  { value: 'return_on_spend_ascending', label: 'Lowest return' },
];

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
  range: DayRange;
}

/** The figures of each product with placements. Each product leads to its placements. */
export function ProductsPanel({ campaign: { internal_id: id, name }, search, range }: Props) {
  const formats = useFormats();
  const navigate = useNavigate();
  const { sort = '' } = search;
  const list = useInfiniteQuery(productResultsQuery(id, range, sort));
  const rows = list.data?.pages.flatMap(({ results }) => results);
  if (rows?.length === 0) return null;
  const numbers = figures.map(
    ({ field, label, format }): Column<CampaignPerformance> => ({
      label,
      kind: 'number',
      cell: (row) => valueOrDash(row[field], format(formats)),
    }),
  );
  const file = `campaign-products-${range.from}-${range.to}`;
  const controls = (
    <span className={styles.controls}>
      <NativeSelect
        aria-label="Sort by"
        value={sort}
        data={withCurrent(orders, sort)}
        onChange={(event) =>
          void navigate({
            to: '/campaigns/$campaign',
            params: { campaign: id },
            search: { ...search, sort: event.currentTarget.value },
            resetScroll: false,
          })
        }
      />
      <DownloadCsv name={file} columns={columns} rows={rows} label={`${name} by product`} />
    </span>
  );
  return (
    <Panel title="By product" aside={controls} flush>
      <Loaded query={list} skeleton={8}>
        {() => (
          <Table
            rows={rows ?? []}
            keyOf={({ product_identifier: product }) => product ?? ''}
            caption="Products"
            columns={[
              {
                label: 'Product',
                kind: 'lead',
                cell: ({ product_identifier: identifier, product }) => (
                  <span className={styles.product}>
                    <Link
                      to="/campaigns/$campaign"
                      params={{ campaign: id }}
                      search={{ ...search, lines: '', day: '', product: identifier ?? '' }}
                      className={styles.link ?? ''}
                    >
                      {product?.title ?? identifier}
                    </Link>
                    <span className="mono muted">{identifier}</span>
                  </span>
                ),
              },
              ...numbers,
            ]}
          />
        )}
      </Loaded>
      <MoreButton list={list} label="Show more results" />
    </Panel>
  );
}
