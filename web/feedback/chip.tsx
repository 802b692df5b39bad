import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent';

/** A state in a word; its colour is in the dot alone, so that the word is read in every theme. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {children}
    </span>
  );
}
