import type { ReactNode } from 'react';
import type { IconEye } from './icons.ts';
import styles from './mode-bar.module.css';

interface Props {
  mode: 'test' | 'support';
  label: string;
  Icon: typeof IconEye;
  /** Beside each other, or below each other where there is no room. */
  text: ReactNode;
  /** Buttons of the class `modeButton`. */
  children: ReactNode;
}

/** The class of the buttons of the bar. */
export const modeButton = styles.button;

/** Says on every page that it shows something else than usual, with an edge around the window. */
export function ModeBar({ mode, label, Icon, text, children }: Props) {
  return (
    <>
      <section className={styles.bar} data-mode={mode} aria-label={label}>
        <Icon size={20} stroke={1.9} />
        <p className={styles.text}>{text}</p>
        {children}
      </section>
      <div className={styles.edge} data-mode={mode} aria-hidden="true" />
    </>
  );
}
