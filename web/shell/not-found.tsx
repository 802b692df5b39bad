import { IconMapOff } from '@tabler/icons-react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { LinkButton } from './link-button.tsx';
import { Mark } from './mark.tsx';
import styles from './shell.module.css';

export function NotFound() {
  return (
    <main className={styles.lost}>
      <Mark size={40} />
      <title>Nothing here · Tradepost</title>
      <h1 className="unseen">Nothing here</h1>
      <EmptyState
        Icon={IconMapOff}
        title="There is no page here"
        words="The address may be mistyped, or the page is gone."
      >
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyState>
    </main>
  );
}
