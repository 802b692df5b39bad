import { Logo } from '../ui/logo.tsx';
import { NotFound } from '../ui/not-found.tsx';
import styles from './shell.module.css';

/** A page that does not exist, in place of the whole window. */
export function NotFoundWindow() {
  return (
    <main className={styles.notFound}>
      <Logo size={40} />
      <NotFound />
    </main>
  );
}
