import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { refresh } from '../server/query-client.ts';
import { sessionExpired } from '../server/session-expiry.ts';
import { useStore } from '../server/store.ts';
import { IconEye } from '../ui/icons.ts';
import { ModeBar, modeButton } from '../ui/mode-bar.tsx';
import { showError } from '../ui/notify.tsx';
import styles from './support-view.module.css';
import { endSupportView, supportViewPage } from './support-view.ts';

const MINUTE_MS = 60_000;
const LOOK_AGAIN_MS = 5_000;

interface Props {
  merchant: ConsoleSession['merchant'];
  view: NonNullable<ConsoleSession['support_view']>;
}

/** Says on every page that an operator looks at a merchant's console, and ends it. */
export function SupportViewBar({ merchant: { name }, view: { ends_at: endsAt, suspended } }: Props) {
  const { count } = useFormats();
  const minutes = Math.ceil(useTimeUntil(endsAt) / MINUTE_MS);
  const ending = useMutation({ mutationFn: endSupportView, onError: showError });
  const isGone = useStore(sessionExpired);
  useEffect(() => {
    if (isGone) location.replace(supportViewPage);
    // The clock of the browser may be wrong. If the view has ended, the response leads to its page.
    else if (minutes <= 0) void refresh('session');
  }, [isGone, minutes]);
  return (
    <ModeBar
      mode="support"
      label="Support view"
      Icon={IconEye}
      text={
        <>
          <strong className={styles.title}>Support view: read only</strong>
          <span className={styles.merchant}>
            {name}
            {suspended && ', suspended'}
          </span>
          <span className={styles.time}>{count(Math.max(0, minutes), 'minute')} left</span>
        </>
      }
    >
      <button
        type="button"
        className={modeButton}
        disabled={ending.isPending}
        onClick={() => ending.mutate()}
      >
        End
      </button>
    </ModeBar>
  );
}

/** Returns the milliseconds until a time, which it counts down. */
function useTimeUntil(time: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.parse(time) - now;
}
