import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { lookNow, reachable } from '../server/reachable.ts';
import { partsAreGone } from '../server/stale-page.ts';
import { useStore } from '../server/store.ts';
import styles from './notices.module.css';

/** What concerns every page: the server is away, or has been updated under this one. */
export function Notices() {
  const isReachable = useStore(reachable);
  const isStale = useStore(partsAreGone);
  return (
    <div role="status" className={styles.notices}>
      {!isReachable && (
        <div className={styles.notice}>
          <IconCloudOff size={18} aria-hidden="true" />
          <span className={styles.words}>
            The server cannot be reached. What you see may be old; what you typed is kept. Trying again …
          </span>
          <Button size="compact-sm" variant="default" onClick={() => void lookNow()}>
            Try now
          </Button>
        </div>
      )}
      {isStale && isReachable && (
        <div className={styles.notice}>
          <IconRefresh size={18} aria-hidden="true" />
          <span className={styles.words}>
            The console was updated since this page was opened. Reload it to go on.
          </span>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
