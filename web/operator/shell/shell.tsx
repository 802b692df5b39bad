import { lazy, Suspense, useMemo } from 'react';
import { Formats } from '../../format/formats.ts';
import { FormatsContext } from '../../format/use-formats.ts';
import { sessionExpired } from '../../server/session-expiry.ts';
import { useStore } from '../../server/store.ts';
import { Frame } from '../../shell/frame.tsx';
import { useSession } from '../session.ts';
import { Navigation } from './navigation.tsx';

const SessionExpiredDialog = lazy(() => import('../../sign-in/session-expired-dialog.tsx'));

/** The frame around every page of a signed-in operator. */
export function Page() {
  const { time_zone: timeZone, currency } = useSession().marketplace;
  const formats = useMemo(() => new Formats(timeZone, currency), [timeZone, currency]);
  const isExpired = useStore(sessionExpired);
  return (
    <FormatsContext value={formats}>
      <Frame navigation={<Navigation />} />
      <Suspense>{isExpired && <SessionExpiredDialog />}</Suspense>
    </FormatsContext>
  );
}
