import { applicationName, tagline } from '../server/application.ts';
import { Logo } from '../ui/logo.tsx';
import styles from './brand-pane.module.css';
import { SupportLink } from './support-link.tsx';

/** Beside the sign-in on wide screens: whose marketplace it is, and where to get help. */
export function BrandPane() {
  return (
    <aside className={styles.pane}>
      <div className={styles.brand}>
        <span className={styles.tile}>
          <Logo size={44} />
        </span>
        <span className={styles.name}>{applicationName}</span>
      </div>
      <p className={styles.tagline}>{tagline}</p>
      <SupportLink className={styles.support} />
    </aside>
  );
}
