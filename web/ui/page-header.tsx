import type { ReactNode } from 'react';
import styles from './page-header.module.css';

interface Props {
  title: string;
  /** A sentence that describes the page. */
  lead?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: Props) {
  return (
    <div className={styles.header}>
      <title>{`${title} · Tradepost`}</title>
      <div className={styles.text}>
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
