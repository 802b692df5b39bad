import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { PlacementRecord } from '../../src/placements/list/placement-record.ts';
import type { PlacementState } from '../../src/placements/record/placement.ts';
import type { DayRange } from '../../src/sales/report.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { DownloadCsv } from '../sales/download-csv.tsx';
import { Chip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EmptyValue, valueOrDash } from '../ui/empty-value.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import type { Tone } from '../ui/tone.ts';
import styles from './placements.module.css';
import { linesQuery, type ResultsSearch } from './queries.ts';

const columns = [
  'placement_id',
  'product_identifier',
  'state',
  'price',
  'bid',
  'day',
  'reserved_at',
  'delivered_at',
  'released_at',
  'late',
  'schedule_id',
  'revenue',
] as const;

const tones: Record<PlacementState, Tone> = { reserved: 'accent', delivered: 'good', released: 'quiet' };
const labels: Record<PlacementState, string> = {
  reserved: 'Reserved',
  delivered: 'Delivered',
  released: 'Released',
};

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
  range: DayRange;
}

/** The placements that the figures of a day, a product or a range add up, and their sums. */
export function LinesPanel({ campaign: { internal_id: campaign }, search, range }: Props) {
  const formats = useFormats();
  const { day, product, lines, ...rest } = search;
  const days = daysOf(search, range);
  const list = useInfiniteQuery(linesQuery({ campaign, product_identifier: product, ...days }));
  const when =
    day !== undefined
      ? formats.calendarDay(day)
      : lines === 'all'
        ? 'all days'
        : `${formats.calendarDay(range.from)} – ${formats.calendarDay(range.to)}`;
  const title = product === undefined ? `Placements, ${when}` : `Placements of ${product}, ${when}`;
  const panel = useRef<HTMLElement>(null);
  // The panel opens above the link that was followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is as good as a new panel
  useEffect(() => panel.current?.focus({ preventScroll: true }), [title]);
  const placements = list.data?.pages.flatMap(({ results }) => results) ?? [];
  const aside = (
    <span className={styles.controls}>
      <DownloadCsv
        name={`placements-${day ?? (lines === 'all' ? lines : range.from)}`}
        columns={columns}
        rows={placements}
        label={title}
      />
      <Link to="/campaigns/$campaign" params={{ campaign }} search={rest} className="small">
        Close
      </Link>
    </span>
  );
  return (
    <Panel title={title} aside={aside} flush ref={panel}>
      <Loaded query={list} skeleton={6}>
        {() =>
          placements.length === 0 ? (
            <EmptyState
              Icon={IconHistory}
              title="No placements"
              description="Nothing was placed on these days."
            />
          ) : (
            <>
              <p className={`muted small ${styles.sums}`} role="status">
                {describeSums(placements, list.hasNextPage, formats)}
              </p>
              <LinesTable placements={placements} />
            </>
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show more placements" />
    </Panel>
  );
}

function daysOf({ day, lines }: ResultsSearch, range: DayRange): Partial<DayRange> | { day: string } {
  if (day !== undefined) return { day };
  return lines === 'all' ? {} : range;
}

/** Says how many placements are listed, and what those that were delivered add up to. */
function describeSums(
  placements: readonly PlacementRecord[],
  isPart: boolean,
  { whole, count, money }: Formats,
): string {
  const delivered = placements.filter(({ state }) => state === 'delivered');
  const sold = delivered.filter(({ revenue }) => revenue !== null);
  const spend = delivered.reduce((sum, { price }) => sum + Math.round(price * 10_000), 0) / 10_000;
  const sales = sold.reduce((sum, { revenue }) => sum + Math.round((revenue ?? 0) * 100), 0) / 100;
  const all = isPart
    ? `Showing the first ${whole(placements.length)}`
    : count(placements.length, 'placement');
  return `${all} · ${whole(delivered.length)} delivered for ${money(spend)} · ${whole(sold.length)} sold for ${money(sales)}`;
}

function LinesTable({ placements }: { placements: readonly PlacementRecord[] }) {
  const { time, money } = useFormats();
  return (
    <Table
      rows={placements}
      keyOf={({ placement_id: id }) => id}
      caption="Placements"
      columns={[
        {
          label: 'Product',
          kind: 'lead',
          cell: ({ product_identifier: product }) => <span className="mono">{product}</span>,
        },
        {
          label: 'Time',
          cell: ({ delivered_at: delivered, reserved_at: reserved }) =>
            valueOrDash(delivered ?? reserved, time),
        },
        { label: 'State', cell: (placement) => <State placement={placement} /> },
        { label: 'Price', kind: 'number', cell: ({ price }) => money(price) },
        {
          label: 'Auction',
          cell: ({ schedule_id: schedule }) =>
            valueOrDash(schedule, (id) => <span className="mono">{id}</span>),
        },
        {
          label: 'Sold for',
          kind: 'number',
          cell: ({ revenue, schedule_id: schedule }) =>
            revenue !== null ? money(revenue) : schedule === null ? <EmptyValue /> : 'Not sold',
        },
      ]}
    />
  );
}

function State({ placement: { state, late } }: { placement: PlacementRecord }) {
  return (
    <span className="stack">
      <Chip tone={tones[state]}>{labels[state]}</Chip>
      {late && <span className="muted small">Late: the budget was spent, so it was free</span>}
    </span>
  );
}
