import type { ReactNode } from 'react';
import styles from './values.module.css';

/** The values of a chart as a table, for those who cannot use the chart. */
export function Values({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={styles.values}>
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        {children}
      </section>
    </details>
  );
}
