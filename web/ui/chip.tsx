import type { ReactNode } from 'react';
import styles from './chip.module.css';
import type { Tone } from './tone.ts';

/** A status label. Only its dot is colored, so that the text stays readable in both themes. */
export function Chip({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone} title={title}>
      {children}
    </span>
  );
}
