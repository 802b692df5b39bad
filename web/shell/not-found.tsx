import { Logo } from '../ui/logo.tsx';
import { PageNotFound } from '../ui/page-not-found.tsx';
import styles from './shell.module.css';

/** Replaces the whole window. */
export function NotFound() {
  return (
    <main className={styles.notFound}>
      <Logo size={40} />
      <PageNotFound />
    </main>
  );
}
