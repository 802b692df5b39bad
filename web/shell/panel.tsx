import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

interface Props {
  title?: ReactNode;
  /** What stands at the end of the title's line. */
  aside?: ReactNode;
  /** Whether the content brings its own inner distance, as tables do. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page, with a title of its own. */
export function Panel({ title, aside, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.header}>
          <h2 id={id}>{title}</h2>
          {aside}
        </header>
      )}
      <div className={flush ? undefined : styles.body}>{children}</div>
    </section>
  );
}
