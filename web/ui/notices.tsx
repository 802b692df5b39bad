import { Button } from '@mantine/core';
import { newVersionAvailable } from '../server/new-version.ts';
import { checkNow, reachable } from '../server/reachable.ts';
import { useStore } from '../server/store.ts';
import { IconCloudOff, IconRefresh } from './icons.ts';
import styles from './notices.module.css';

/** Notices for every page: the server is unreachable, or serves a newer version of the console. */
export function Notices() {
  const isReachable = useStore(reachable);
  const isOutdated = useStore(newVersionAvailable);
  return (
    <div role="status" className={styles.notices}>
      {!isReachable && (
        <div className={styles.notice}>
          <IconCloudOff size={18} aria-hidden="true" />
          <span className={styles.text}>Can’t reach the server. Retrying…</span>
          <Button size="compact-sm" variant="default" onClick={() => void checkNow()}>
            Retry now
          </Button>
        </div>
      )}
      {isOutdated && isReachable && (
        <div className={styles.notice}>
          <IconRefresh size={18} aria-hidden="true" />
          <span className={styles.text}>New version available</span>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
