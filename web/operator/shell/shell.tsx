import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { Formats } from '../../format/formats.ts';
import { FormatsContext } from '../../format/use-formats.ts';
import { openOverlay, useShortcuts } from '../../palette/shortcuts.ts';
import { useLoadedOnIdle } from '../../palette/use-loaded-on-idle.ts';
import { sessionExpired } from '../../server/session-expiry.ts';
import { useStore } from '../../server/store.ts';
import { Frame } from '../../shell/frame.tsx';
import { GoToIcon } from '../../shell/go-to.tsx';
import { leastRoles, listedPages } from '../pages.ts';
import { openDialog } from '../palette/actions.ts';
import { useAllows, useSession } from '../session.ts';
import { Navigation } from './navigation.tsx';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const Shortcuts = lazy(async () => ({
  default: (await import('../palette/screen-shortcuts.tsx')).ScreenShortcuts,
}));
const CreateMerchant = lazy(async () => ({
  default: (await import('../merchants/create-merchant.tsx')).CreateMerchant,
}));
const InviteOperator = lazy(async () => ({
  default: (await import('../operators/invite-operator.tsx')).InviteOperator,
}));
const SessionExpiredDialog = lazy(() => import('../../sign-in/session-expired-dialog.tsx'));

const closeDialog = (): void => openDialog.set(undefined);

/** The frame around every page of a signed-in operator. */
export function Page() {
  const { time_zone: timeZone, currency } = useSession().marketplace;
  const formats = useMemo(() => new Formats(timeZone, currency), [timeZone, currency]);
  const isExpired = useStore(sessionExpired);
  const overlay = useStore(openOverlay);
  const dialog = useStore(openDialog);
  const navigate = useNavigate();
  const openMerchants = useCallback(() => void navigate({ to: '/merchants' }), [navigate]);
  const maySupport = useAllows('support');
  const openPage = useCallback(
    (letter: string) => {
      const page = listedPages.find((each) => each.letter === letter);
      if (page !== undefined && (maySupport || leastRoles[page.to] !== 'support'))
        void navigate({ to: page.to });
    },
    [navigate, maySupport],
  );
  useShortcuts({ onSearch: openMerchants, onPage: openPage });
  useLoadedOnIdle(loadPalette);
  return (
    <FormatsContext value={formats}>
      <Frame navigation={<Navigation />} barAction={<GoToIcon label="Go to a merchant, page, or action" />} />
      <Suspense>
        {overlay === 'palette' && <Palette />}
        {overlay === 'shortcuts' && <Shortcuts />}
        {dialog === 'create-merchant' && <CreateMerchant onClose={closeDialog} />}
        {dialog === 'invite-operator' && <InviteOperator onClose={closeDialog} />}
      </Suspense>
      <Suspense>{isExpired && <SessionExpiredDialog />}</Suspense>
    </FormatsContext>
  );
}
