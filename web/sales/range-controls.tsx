import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DayRange } from '../../src/sales/report.ts';
import { changeRange, customRange, ranges, type ShownRange } from './ranges.ts';
import styles from './sales.module.css';
import type { SalesSearch } from './search.ts';

const CUSTOM = 'custom';
const unitLabels = { day: 'By day', week: 'By week', month: 'By month' };
const comparisons = [
  { value: '', label: 'vs. previous period' },
  { value: 'last_year', label: 'vs. last year' },
  { value: 'none', label: 'No comparison' },
];

interface Props {
  search: SalesSearch;
  shown: ShownRange;
  today: string;
}

/** The range of the whole page, how it is divided, and what it is compared with. Each is in the URL. */
export function RangeControls({ search, shown, today }: Props) {
  const navigate = useNavigate();
  const change = (changes: SalesSearch): void => {
    const { page: _, month: __, product: ___, ...kept } = search;
    void navigate({ to: '/sales', search: { ...kept, ...changes }, resetScroll: false });
  };
  const custom = customRange(shown);
  const choose = (range: string): void =>
    change({ by: '', ...(range === CUSTOM ? { range: '', ...custom } : { range, from: '', to: '' }) });
  return (
    <div className={styles.range}>
      <NativeSelect
        aria-label="Range"
        value={shown.choice}
        data={[...ranges, { value: CUSTOM, label: 'Custom' }]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {shown.choice === CUSTOM && (
        <>
          <DayInput
            label="First day"
            day={custom.from}
            max={today}
            onChange={(from) => change(changeRange(custom, { from }))}
          />
          <DayInput
            label="Last day"
            day={custom.to}
            max={today}
            onChange={(to) => change(changeRange(custom, { to }))}
          />
        </>
      )}
      <NativeSelect
        aria-label="Group by"
        value={shown.unit}
        data={shown.units.map((unit) => ({ value: unit, label: unitLabels[unit] }))}
        onChange={(event) => change({ by: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Compare with"
        value={search.compare ?? ''}
        data={comparisons}
        onChange={(event) => change({ compare: event.currentTarget.value })}
      />
    </div>
  );
}

/** No shop has sold before this day, which people type on the way to another year. */
const EARLIEST = '2000-01-01';

interface DayInputProps {
  label: string;
  day: DayRange['from'];
  max: string;
  onChange: (day: string) => void;
}

/** A day that is typed keeps the range until it is complete. */
function DayInput({ label, day, max, onChange }: DayInputProps) {
  const [typed, setTyped] = useState({ day, text: day });
  if (typed.day !== day) setTyped({ day, text: day });
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={typed.text}
      min={EARLIEST}
      max={max}
      onChange={({ currentTarget: { value } }) => {
        setTyped({ day, text: value });
        if (value >= EARLIEST && value <= max) onChange(value);
      }}
    />
  );
}
