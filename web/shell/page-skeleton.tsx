import { Skeleton } from '@mantine/core';
import styles from './shell.module.css';

/** A placeholder while a page's script loads. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <Skeleton height={32} width={200} mb={10} />
      <Skeleton height={16} width="min(420px, 80%)" mb={28} />
      <Skeleton height={320} radius="md" />
    </div>
  );
}

/** A placeholder for the whole window while the session loads. */
export function ShellSkeleton() {
  return (
    <div className={styles.frame}>
      <div className={styles.rail} />
      <div className={styles.bar}>&nbsp;</div>
      <main className={styles.main}>
        <div className={styles.page}>
          <PageSkeleton />
        </div>
      </main>
    </div>
  );
}
