import type { ReactNode } from 'react';
import styles from './reference.module.css';

/** A heading's text, which is a link to it. `id` is of the element that it is the heading of. */
export function Heading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a href={`#${id}`} className={styles.anchor}>
      {children}
    </a>
  );
}
