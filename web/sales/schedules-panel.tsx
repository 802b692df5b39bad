import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ScheduleRecord } from '../../src/sales/schedule-record.ts';
import { useFormats } from '../format/use-formats.ts';
import { MoreButton } from '../keys/more-button.tsx';
import { Chip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { downloadCsv } from './download-csv.ts';
import { type SalesSearch, schedulesQuery } from './queries.ts';
import styles from './sales.module.css';

const columns = [
  'schedule_id',
  'product_identifier',
  'variation_identifier',
  'scheduled_at',
  'sold',
  'sale_price',
  'rating',
] as const;

interface Props {
  search: SalesSearch;
  /** The number of auctions, if it is known. */
  total?: number | undefined;
}

/** The auctions that the figures of a month or a product are calculated from, and their sums. */
export function SchedulesPanel({ search, total }: Props) {
  const formats = useFormats();
  const pages = useInfiniteQuery(schedulesQuery(search));
  const { month, product, ...rest } = search;
  const title =
    product === undefined ? `Auctions in ${formats.month(month ?? '')}` : `Auctions of ${product}`;
  const panel = useRef<HTMLElement>(null);
  // The panel opens above the link that was followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is as good as a new panel
  useEffect(() => panel.current?.focus({ preventScroll: true }), [title]);
  const schedules = pages.data?.pages.flatMap(({ results }) => results);
  const aside = (
    <span className={styles.controls}>
      <Button
        variant="default"
        aria-label={`${title}: CSV`}
        disabled={schedules === undefined || schedules.length === 0}
        onClick={() => schedules && downloadCsv(`schedules-${product ?? month}`, columns, schedules)}
      >
        CSV
      </Button>
      <Link to="/sales" search={rest} className="small">
        Close
      </Link>
    </span>
  );
  return (
    <Panel title={title} aside={aside} flush ref={panel}>
      {schedules === undefined ? (
        pages.error === null ? (
          <TableSkeleton rows={6} />
        ) : (
          <ErrorState error={pages.error} retry={() => void pages.refetch()} />
        )
      ) : schedules.length === 0 ? (
        <EmptyState Icon={IconHistory} title="No auctions" description="No auctions make up this number." />
      ) : (
        <>
          <p className={`muted small ${styles.sums}`} role="status">
            {describeSums(schedules, pages.hasNextPage ? (total ?? null) : schedules.length, formats)}
          </p>
          <SchedulesTable schedules={schedules} />
        </>
      )}
      <MoreButton pages={pages} label="Show more auctions" />
    </Panel>
  );
}

/** Says how many auctions are listed of all, whose number is null if it is unknown, and what the listed ones add up to. */
function describeSums(
  schedules: readonly ScheduleRecord[],
  total: number | null,
  { whole, money }: ReturnType<typeof useFormats>,
): string {
  const sold = schedules.filter((schedule) => schedule.sold);
  const sales = sold.reduce((sum, { sale_price: price }) => sum + Math.round((price ?? 0) * 100), 0) / 100;
  const listed = whole(schedules.length);
  const count =
    total === null
      ? `Showing the first ${listed}`
      : total > schedules.length
        ? `Showing ${listed} of ${whole(total)}`
        : `${listed} ${schedules.length === 1 ? 'auction' : 'auctions'}`;
  return `${count} · ${whole(sold.length)} sold · ${money(sales)}`;
}

function SchedulesTable({ schedules }: { schedules: readonly ScheduleRecord[] }) {
  const { time, money, rating } = useFormats();
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Time</th>
            <th scope="col">Result</th>
            <th scope="col" className="number">
              Price
            </th>
            <th scope="col" className="number">
              Rating
            </th>
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <tr key={schedule.schedule_id}>
              <td className="lead">
                <span className="mono">{schedule.variation_identifier ?? schedule.product_identifier}</span>
              </td>
              <td data-label="Time">{time(schedule.scheduled_at)}</td>
              <td data-label="Result">
                <Chip tone={schedule.sold ? 'good' : 'quiet'}>{schedule.sold ? 'Sold' : 'Not sold'}</Chip>
              </td>
              <td data-label="Price" className="number">
                {valueOrDash(schedule.sale_price, money)}
              </td>
              <td data-label="Rating" className="number">
                {valueOrDash(schedule.rating, rating)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
