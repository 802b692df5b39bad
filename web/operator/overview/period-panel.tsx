import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { IconArrowDownRight, IconArrowUpRight } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { moneyIn } from './money-in.ts';
import styles from './overview.module.css';
import type { Compared, PeriodFigures } from './queries.ts';

interface Line {
  label: ReactNode;
  key: string;
  figure: Compared;
  format: (value: number) => string;
}

const titles = {
  day: { title: 'Last 24 hours', current: 'Last 24 hours', previous: '24 hours before' },
  week: { title: 'Last 7 days', current: 'Last 7 days', previous: '7 days before' },
} as const;

/** The figures of a period, against the time before it. */
export function PeriodPanel({ figures }: { figures: PeriodFigures }) {
  const { whole, shortCalendarDay } = useFormats();
  const { title, current, previous } = titles[figures.period];
  const { ad_spend_from: from, ad_spend_to: to } = figures;
  const spendDays =
    from === to ? shortCalendarDay(to) : `${shortCalendarDay(from)} to ${shortCalendarDay(to)}`;
  const lines: Line[] = [
    { key: 'calls', label: 'Calls', figure: figures.calls, format: whole },
    {
      key: 'failed',
      label: (
        <Link to="/calls" search={{ hours: figures.period === 'week' ? '168' : '24' }}>
          Failed calls
        </Link>
      ),
      figure: figures.failed_calls,
      format: whole,
    },
    {
      key: 'active',
      label: <Link to="/merchants">Merchants with calls</Link>,
      figure: figures.active_merchants,
      format: whole,
    },
    ...figures.sales.flatMap(({ currency, sold, amount }): Line[] => [
      { key: `sold ${currency}`, label: `Auctions sold in ${currency}`, figure: sold, format: whole },
      { key: `sales ${currency}`, label: `Sales in ${currency}`, figure: amount, format: moneyIn(currency) },
    ]),
    ...figures.ad_spend.map(
      ({ currency, amount }): Line => ({
        key: `spend ${currency}`,
        label: (
          <>
            <Link to="/campaigns">Ad spend in {currency}</Link>{' '}
            <span className="muted small">{spendDays}</span>
          </>
        ),
        figure: amount,
        format: moneyIn(currency),
      }),
    ),
  ];
  return (
    <Panel title={title} flush>
      <Table
        caption={title}
        rows={lines}
        keyOf={({ key }) => key}
        columns={[
          { label: 'Figure', kind: 'lead', cell: ({ label }) => label },
          { label: current, kind: 'number', cell: ({ figure, format }) => format(figure.current) },
          { label: previous, kind: 'number', cell: ({ figure, format }) => format(figure.previous) },
          { label: 'Change', kind: 'number', cell: ({ figure }) => <Change figure={figure} /> },
        ]}
      />
    </Panel>
  );
}

const relative = new Intl.NumberFormat(undefined, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

function Change({ figure: { current, previous } }: { figure: Compared }) {
  if (current === previous) return <span className="muted">–</span>;
  const Icon = current < previous ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span className={styles.change}>
      <Icon size={15} />
      {previous === 0 ? 'New' : relative.format((current - previous) / previous)}
    </span>
  );
}
