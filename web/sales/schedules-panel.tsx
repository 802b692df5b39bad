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

/** The schedules that the figures of a month or a product are calculated from, and their sums. */
export function SchedulesPanel({ search }: { search: SalesSearch }) {
  const formats = useFormats();
  const pages = useInfiniteQuery(schedulesQuery(search));
  const { month, product, ...rest } = search;
  const subject = product ?? formats.month(month ?? '');
  const panel = useRef<HTMLElement>(null);
  // The panel opens above the link that was followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is as good as a new panel
  useEffect(() => panel.current?.focus({ preventScroll: true }), [subject]);
  const schedules = pages.data?.pages.flatMap(({ results }) => results);
  const aside = (
    <span className={styles.controls}>
      <Button
        variant="default"
        aria-label={`Schedules of ${subject}: CSV`}
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
    <Panel title={`Schedules of ${subject}`} aside={aside} flush ref={panel}>
      {schedules === undefined ? (
        pages.error === null ? (
          <TableSkeleton rows={6} />
        ) : (
          <ErrorState error={pages.error} retry={() => void pages.refetch()} />
        )
      ) : schedules.length === 0 ? (
        <EmptyState Icon={IconHistory} title="No schedules" description="No auctions make up this number." />
      ) : (
        <>
          <p className={`muted small ${styles.sums}`} role="status">
            {describeSums(schedules, formats)}
            {pages.hasNextPage && ', and more below'}
          </p>
          <SchedulesTable schedules={schedules} />
        </>
      )}
      <MoreButton pages={pages} label="Show more schedules" />
    </Panel>
  );
}

function describeSums(
  schedules: readonly ScheduleRecord[],
  { whole, money }: ReturnType<typeof useFormats>,
): string {
  const sold = schedules.filter((schedule) => schedule.sold);
  const total = sold.reduce((sum, { sale_price: price }) => sum + Math.round((price ?? 0) * 100), 0) / 100;
  return `${whole(schedules.length)} ${schedules.length === 1 ? 'schedule' : 'schedules'}, ${whole(sold.length)} sold for ${money(total)}`;
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
