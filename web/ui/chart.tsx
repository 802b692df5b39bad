import type { ReactNode } from 'react';
import styles from './chart.module.css';

/** The looks of the axes of all charts. */
export const axis = { tickLine: false, axisLine: false, tick: { fill: 'var(--ink-soft)', fontSize: 12 } };

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
/** Formats the label of an axis, such as “1.2K”. */
export const tickLabel = (value: number): string => compact.format(value);

/** What a chart tells about the bar that is selected with the pointer or the arrow keys. */
export function ChartTooltip({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.tooltip}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
