import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { applicationName } from '../server/application.ts';
import styles from './page-header.module.css';

interface Props {
  /** By default, the title of the page in the router. */
  title?: string;
  /** A sentence that describes the page. */
  lead?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title: given, lead, actions }: Props) {
  const ofPage = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const title = given ?? ofPage ?? '';
  return (
    <div className={styles.header}>
      <title>{`${title} · ${applicationName}`}</title>
      <div className={styles.text}>
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
