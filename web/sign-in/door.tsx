import type { ReactNode } from 'react';
import { Mark } from '../shell/mark.tsx';
import { Notices } from '../shell/notices.tsx';
import styles from './door.module.css';

/** The frame of the pages that need no session. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.door}>
      <title>{`${title} · Tradepost`}</title>
      <div className={styles.side} aria-hidden="true">
        <p className={styles.claim}>
          Your catalog, your campaigns and your sales, where your software can reach them.
        </p>
      </div>
      <main className={styles.main}>
        <Notices />
        <div className={styles.card}>
          <div className={styles.brand}>
            <Mark size={34} />
            <span>Tradepost</span>
          </div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}
