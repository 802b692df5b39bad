import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ScheduleRecord } from '../../src/sales/schedule-record.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { DownloadCsv } from './download-csv.tsx';
import { schedulesQuery } from './queries.ts';
import styles from './sales.module.css';
import type { SalesSearch } from './search.ts';

const columns = [
  'schedule_id',
  'product_identifier',
  'variation_identifier',
  'scheduled_at',
  'sold',
  'sale_price',
  'rating',
  'order_id',
  'placement_id',
] as const;

interface Props {
  search: SalesSearch;
  /** The days of a product's auctions; without `from` for all days. */
  days: { from: string | undefined; to: string };
  /** The number of auctions, if it is known. */
  total?: number | undefined;
}

/** The auctions that the figures of a month or a product are calculated from, and their sums. */
export function SchedulesPanel({ search, days, total }: Props) {
  const formats = useFormats();
  const { month, product, ...rest } = search;
  const { from, to } = days;
  const isAny = from === undefined;
  const of = product === undefined ? { month } : { product_identifier: product, from, to: isAny ? from : to };
  const list = useInfiniteQuery(schedulesQuery(of));
  const title =
    product === undefined
      ? `Auctions in ${formats.month(month ?? '')}`
      : `Auctions of ${product}${isAny ? '' : `, ${formats.calendarRange(from, to)}`}`;
  const panel = useRef<HTMLElement>(null);
  // The panel opens above the link that was followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is as good as a new panel
  useEffect(() => panel.current?.focus({ preventScroll: true }), [title]);
  const schedules = list.data?.pages.flatMap(({ results }) => results) ?? [];
  const aside = (
    <span className={styles.controls}>
      <DownloadCsv name={`schedules-${product ?? month}`} columns={columns} rows={schedules} label={title} />
      <Link to="/sales" search={rest} className="small">
        Close
      </Link>
    </span>
  );
  return (
    <Panel title={title} aside={aside} flush ref={panel}>
      <Loaded query={list} skeleton={6}>
        {() =>
          schedules.length === 0 ? (
            <EmptyState Icon={IconHistory} title="No auctions" description="No auctions for this figure." />
          ) : (
            <>
              <p className={`muted small ${styles.sums}`} role="status">
                {describeSums(schedules, list.hasNextPage ? (total ?? null) : schedules.length, formats)}
              </p>
              <SchedulesTable schedules={schedules} />
            </>
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show more auctions" />
    </Panel>
  );
}

/** Says how many of all auctions are listed, and what these add up to. `total` is null if it is unknown. */
function describeSums(
  schedules: readonly ScheduleRecord[],
  total: number | null,
  { whole, count, money }: Formats,
): string {
  const sold = schedules.filter((schedule) => schedule.sold);
  const sales = sold.reduce((sum, { sale_price: price }) => sum + Math.round((price ?? 0) * 100), 0) / 100;
  const listed = whole(schedules.length);
  const all =
    total === null
      ? `Showing the first ${listed}`
      : total > schedules.length
        ? `Showing ${listed} of ${whole(total)}`
        : count(schedules.length, 'auction');
  return `${all} · ${whole(sold.length)} sold · ${money(sales)}`;
}

function SchedulesTable({ schedules }: { schedules: readonly ScheduleRecord[] }) {
  const { time, money, rating } = useFormats();
  return (
    <Table
      rows={schedules}
      keyOf={({ schedule_id: id }) => id}
      columns={[
        {
          label: 'Product',
          kind: 'lead',
          cell: ({ variation_identifier: variation, product_identifier: product }) => (
            <span className="mono">{variation ?? product}</span>
          ),
        },
        { label: 'Time', cell: ({ scheduled_at: at }) => time(at) },
        {
          label: 'Result',
          cell: ({ sold }) => <Chip tone={sold ? 'good' : 'quiet'}>{sold ? 'Sold' : 'Not sold'}</Chip>,
        },
        { label: 'Price', kind: 'number', cell: ({ sale_price: price }) => valueOrDash(price, money) },
        { label: 'Rating', kind: 'number', cell: (schedule) => valueOrDash(schedule.rating, rating) },
      ]}
    />
  );
}
