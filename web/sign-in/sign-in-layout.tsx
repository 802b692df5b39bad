import type { ReactNode } from 'react';
import { applicationName, tagline } from '../server/application.ts';
import { Logo } from '../ui/logo.tsx';
import { Notices } from '../ui/notices.tsx';
import styles from './sign-in.module.css';

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
      <div className={styles.aside} aria-hidden="true">
        <p className={styles.tagline}>{tagline}</p>
      </div>
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
        </div>
      </main>
    </div>
  );
}
