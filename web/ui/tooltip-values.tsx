import type { ReactNode } from 'react';
import styles from './chart.module.css';

/** The values of a chart's tooltip, each with its label. */
export function TooltipValues({
  values,
}: {
  values: readonly (readonly [label: string, value: ReactNode])[];
}) {
  return (
    <dl className={styles.values}>
      {values.map(([label, value]) => (
        <div key={label} style={{ display: 'contents' }}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
