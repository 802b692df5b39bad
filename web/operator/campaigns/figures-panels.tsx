import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { Table } from '../../ui/table.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import { Values } from '../values.tsx';
import styles from './figures.module.css';
import { type CampaignFilter, type CurrencyFigures, figuresQuery } from './queries.ts';

const SpendChart = lazy(() => import('./spend-chart.tsx'));
const PriceChart = lazy(() => import('./price-chart.tsx'));

const periods = [
  { value: '', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];
const MAX_CATEGORIES = 10;

/** What the placements of all merchants cost, in one currency. */
export function FiguresPanels({ filter }: { filter: CampaignFilter }) {
  const query = useQuery({ ...figuresQuery(filter.hours), placeholderData: keepPreviousData });
  const currencies = query.data?.currencies ?? [];
  const shown = currencies.find(({ currency }) => currency === filter.currency) ?? currencies[0];
  const navigate = useNavigate();
  const choose = (name: 'hours' | 'currency', value: string): void => {
    const { [name]: _, ...rest } = filter;
    const search = value === '' ? rest : { ...rest, [name]: value };
    void navigate({ to: '/campaigns', search, replace: true, resetScroll: false });
  };
  const controls = (
    <div className={styles.controls}>
      {currencies.length > 1 && (
        <NativeSelect
          aria-label="Currency"
          data={currencies.map(({ currency }) => currency)}
          value={shown?.currency}
          onChange={(event) => choose('currency', event.currentTarget.value)}
        />
      )}
      <NativeSelect
        aria-label="Period"
        data={periods}
        value={filter.hours ?? ''}
        onChange={(event) => choose('hours', event.currentTarget.value)}
      />
    </div>
  );
  // Without campaigns, the list below says so.
  if (query.data !== undefined && shown === undefined) return null;
  return (
    <>
      <Panel title="Spend by hour" aside={controls}>
        {shown === undefined ? (
          <Loaded query={query} skeleton={6} />
        ) : (
          <Spend figures={shown} filter={filter} />
        )}
      </Panel>
      {shown !== undefined && shown.placements > 0 && (
        <div className={styles.halves}>
          <Panel title="Placements by category" flush>
            <Categories figures={shown} />
          </Panel>
          <Panel title="Prices of placements">
            <Prices figures={shown} />
          </Panel>
        </div>
      )}
    </>
  );
}

interface Props {
  figures: CurrencyFigures;
}

function Spend({ figures, filter }: Props & { filter: CampaignFilter }) {
  const { whole, time } = useFormats();
  const { active, exhausted, daily_budgets: budgets, spend, placements, hours, currency } = figures;
  const { money } = useCurrencyFormats()(currency);
  const facts: [label: string, value: ReactNode][] = [
    ['Spend', money(spend)],
    ['Placements', whole(placements)],
    ['Daily budgets', money(budgets)],
    [
      'Active campaigns',
      <Link key="active" to="/campaigns" search={{ ...filter, state: 'Active' }}>
        {whole(active)}
      </Link>,
    ],
    [
      'Budget spent',
      <Link key="exhausted" to="/campaigns" search={{ ...filter, state: 'Lifetime Budget Exhausted' }}>
        {whole(exhausted)}
      </Link>,
    ],
  ];
  return (
    <>
      <dl className={styles.figures}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.legend}>
        <span>
          <span className={styles.bar} /> Spend
        </span>
        <span>
          <span className={styles.line} /> Planned, if all daily budgets are spent evenly
        </span>
      </p>
      <div className={styles.chart}>
        <Suspense>
          <SpendChart figures={figures} />
        </Suspense>
      </div>
      <Values label="Show the values of each hour">
        <Table
          caption="Spend by hour"
          rows={hours.toReversed()}
          keyOf={({ hour }) => hour}
          cards={false}
          columns={[
            { label: 'Hour', cell: ({ hour }) => time(hour) },
            { label: 'Spend', kind: 'number', cell: (hour) => money(hour.spend) },
            { label: 'Planned', kind: 'number', cell: ({ planned }) => money(planned) },
            { label: 'Placements', kind: 'number', cell: (hour) => whole(hour.placements) },
          ]}
        />
      </Values>
    </>
  );
}

function Categories({ figures: { categories, placements, currency } }: Props) {
  const { whole, wholePercent } = useFormats();
  const { money } = useCurrencyFormats()(currency);
  const [top, others] = [categories.slice(0, MAX_CATEGORIES), categories.slice(MAX_CATEGORIES)];
  const sum = (name: 'placements' | 'spend'): number => others.reduce((total, row) => total + row[name], 0);
  const rows = [
    ...top.map((row) => ({ ...row, category: row.category ?? 'Any category' })),
    ...(others.length === 0
      ? []
      : [
          {
            category: `${whole(others.length)} other categories`,
            placements: sum('placements'),
            spend: sum('spend'),
          },
        ]),
  ];
  return (
    <Table
      caption="Placements by the category that was asked for"
      rows={rows}
      keyOf={({ category }) => category}
      columns={[
        {
          label: 'Category',
          kind: 'lead',
          cell: (row) => (
            <>
              {row.category}
              <ShareBar share={row.placements / placements} />
            </>
          ),
        },
        { label: 'Placements', kind: 'number', cell: (row) => whole(row.placements) },
        { label: 'Share', kind: 'number', cell: (row) => wholePercent(row.placements / placements) },
        { label: 'Spend', kind: 'number', cell: (row) => money(row.spend) },
      ]}
    />
  );
}

function Prices({ figures }: Props) {
  const { whole } = useFormats();
  const { money } = useCurrencyFormats()(figures.currency);
  return (
    <>
      <div className={styles.chart}>
        <Suspense>
          <PriceChart figures={figures} />
        </Suspense>
      </div>
      <Values label="Show the number of each price">
        <Table
          caption="Placements by price"
          rows={figures.prices}
          keyOf={({ price }) => price}
          cards={false}
          columns={[
            { label: 'Price', kind: 'number', cell: ({ price }) => money(price) },
            { label: 'Placements', kind: 'number', cell: ({ placements }) => whole(placements) },
          ]}
        />
      </Values>
    </>
  );
}
