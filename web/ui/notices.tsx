import { Button } from '@mantine/core';
import { newVersionAvailable } from '../server/new-version.ts';
import { checkNow, reachable } from '../server/reachable.ts';
import { useStore } from '../server/store.ts';
import { slowResponses } from '../server/watch-response.ts';
import { IconCloudOff, IconHistory, IconRefresh } from './icons.ts';
import styles from './notices.module.css';

/** Notices for every page: the server is slow or unreachable, or serves a newer version of the console. */
export function Notices() {
  const isReachable = useStore(reachable);
  const isOutdated = useStore(newVersionAvailable);
  const isSlow = useStore(slowResponses) > 0;
  return (
    <div role="status" className={styles.notices}>
      {!isReachable && (
        <div className={styles.notice}>
          <IconCloudOff size={18} />
          <span className={styles.text}>Can’t reach the server. Retrying…</span>
          <Button size="compact-sm" variant="default" onClick={() => void checkNow()}>
            Retry now
          </Button>
        </div>
      )}
      {isSlow && isReachable && (
        <div className={styles.notice}>
          <IconHistory size={18} />
          <span className={styles.text}>Still loading…</span>
        </div>
      )}
      {isOutdated && isReachable && (
        <div className={styles.notice}>
          <IconRefresh size={18} />
          <span className={styles.text}>New version available</span>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
