import { NativeSelect } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useFormats } from '../../format/use-formats.ts';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import { Values } from '../values.tsx';
import { FigureCard, type ShownFigure } from './figure-card.tsx';
import styles from './overview.module.css';
import type { Overview, PeriodFigures } from './queries.ts';

const route = getRouteApi('/signed-in/');

const choices = [
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
];
const HOUR_MS = 60 * 60 * 1000;
const lengths = {
  day: { hours: '24', part: 'hour', partMs: HOUR_MS, before: '24 hours before' },
  week: { hours: '168', part: 'day', partMs: 24 * HOUR_MS, before: '7 days before' },
} as const;

/** The figures of the chosen period, each against the time before it and with its course. */
export function FiguresPanel({ periods }: { periods: Overview['periods'] }) {
  const { period: chosen } = route.useSearch();
  const navigate = useNavigate();
  const shown = periods.find(({ period }) => period === chosen) ?? periods[0];
  if (shown === undefined) return null;
  const choice = (
    <NativeSelect
      aria-label="Period"
      data={choices}
      value={shown.period}
      onChange={({ currentTarget: { value } }) =>
        void navigate({
          to: '/',
          search: value === 'day' ? {} : { period: value },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
  return (
    <Panel title="Figures" aside={choice}>
      <Figures figures={shown} />
    </Panel>
  );
}

function Figures({ figures }: { figures: PeriodFigures }) {
  const shown = useShownFigures(figures);
  const { part, before } = lengths[figures.period];
  return (
    <>
      <ul className={styles.cards}>
        {shown.map((figure) => (
          <FigureCard key={figure.label} figure={figure} before={before} />
        ))}
      </ul>
      <Values label={`Show the values of each ${part}`}>
        <PartsTable figures={figures} shown={shown} />
      </Values>
    </>
  );
}

function useShownFigures(figures: PeriodFigures): ShownFigure[] {
  const { whole, percent, shortCalendarDay } = useFormats();
  const formatsOf = useCurrencyFormats();
  const { ad_spend_from: from, ad_spend_to: to, calls, failed_calls: failed } = figures;
  const search = { hours: lengths[figures.period].hours };
  const days =
    from === to ? `On ${shortCalendarDay(to)}` : `${shortCalendarDay(from)} to ${shortCalendarDay(to)}`;
  return [
    { label: 'Calls', figure: calls, format: whole, link: { to: '/calls', search } },
    {
      label: 'Failed calls',
      figure: failed,
      format: whole,
      isBetter: 'less',
      link: { to: '/calls', search },
      ...(calls.current > 0 && { note: `${percent(failed.current / calls.current)} of calls` }),
    },
    {
      label: 'Merchants with calls',
      figure: figures.active_merchants,
      format: whole,
      isBetter: 'more',
      link: { to: '/merchants' },
    },
    ...figures.sales.map(
      ({ currency, sold, amount }): ShownFigure => ({
        label: `Sales in ${currency}`,
        figure: amount,
        format: formatsOf(currency).money,
        isBetter: 'more',
        note: `${whole(sold.current)} sold, ${whole(sold.previous)} before`,
      }),
    ),
    ...figures.ad_spend.map(
      ({ currency, amount }): ShownFigure => ({
        label: `Ad spend in ${currency}`,
        figure: amount,
        format: formatsOf(currency).money,
        link: { to: '/campaigns', search: { currency } },
        note: days,
      }),
    ),
  ];
}

interface Part {
  index: number;
  since: string;
}

/** What each figure was in each hour or on each day, the newest first. */
function PartsTable({ figures, shown }: { figures: PeriodFigures; shown: readonly ShownFigure[] }) {
  const { time } = useFormats();
  const { part, partMs } = lengths[figures.period];
  const begin = Date.parse(figures.since);
  const parts = figures.calls.parts.map(
    (_, index): Part => ({ index, since: new Date(begin + index * partMs).toISOString() }),
  );
  return (
    <Table
      caption={`Figures by ${part}`}
      rows={parts.toReversed()}
      keyOf={({ index }) => index}
      cards={false}
      columns={[
        { label: 'From', className: 'nowrap', cell: ({ since }) => time(since) },
        ...shown
          .filter(({ figure }) => figure.parts.length > 0)
          .map(
            ({ label, figure, format }): Column<Part> => ({
              label,
              kind: 'number',
              cell: ({ index }) => format(figure.parts[index] ?? 0),
            }),
          ),
      ]}
    />
  );
}
