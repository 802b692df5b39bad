import { type ReactNode, type Ref, useId } from 'react';
import styles from './panel.module.css';

interface Props {
  title?: ReactNode;
  /** Content at the end of the title's line. */
  aside?: ReactNode;
  /** Whether the content has its own padding, as tables do. */
  flush?: boolean;
  /** Its ID, for links to the panel. */
  anchor?: string;
  /** For panels that are given the focus. */
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A section of a page, optionally with a title. */
export function Panel({ title, aside, flush = false, anchor, ref, children }: Props) {
  const id = useId();
  return (
    <section
      id={anchor}
      ref={ref}
      tabIndex={ref === undefined ? undefined : -1}
      className={styles.panel}
      aria-labelledby={title === undefined ? undefined : id}
    >
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
