import { EmptyState } from '../ui/empty-state.tsx';
import { IconMapOff } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Logo } from '../ui/logo.tsx';
import styles from './shell.module.css';

/** Replaces the whole window. */
export function NotFound() {
  return (
    <main className={styles.notFound}>
      <Logo size={40} />
      <Page />
    </main>
  );
}

/** A page within the console’s frame, so that its navigation stays. */
export function Page() {
  return (
    <>
      <title>Page not found · Tradepost</title>
      <h1 className="visually-hidden">Page not found</h1>
      <EmptyState Icon={IconMapOff} title="Page not found" description="Check the address.">
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyState>
    </>
  );
}
