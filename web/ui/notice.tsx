import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A sentence that the user must not miss. */
export function Notice({ children }: { children: ReactNode }) {
  return <p className={styles.notice}>{children}</p>;
}
