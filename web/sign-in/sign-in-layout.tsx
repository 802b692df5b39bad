import type { ReactNode } from 'react';
import { applicationName } from '../server/application.ts';
import { Logo } from '../ui/logo.tsx';
import { Notices } from '../ui/notices.tsx';
import { BrandPane } from './brand-pane.tsx';
import styles from './sign-in.module.css';
import { SupportLink } from './support-link.tsx';

/** The frame of the pages that do not need a session. */
export function SignInLayout({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.layout}>
      <title>{`${title} · ${applicationName}`}</title>
      <BrandPane />
      <main className={styles.main}>
        <Notices />
        <div className={styles.card}>
          <div className={styles.brand}>
            <Logo size={34} />
            <span>{applicationName}</span>
          </div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
          {children}
          <SupportLink className={styles.support} />
        </div>
      </main>
    </div>
  );
}
