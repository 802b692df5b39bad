import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { Formats } from '../format/formats.ts';
import { FormatsContext } from '../format/use-formats.ts';
import { listedPages } from '../palette/pages.ts';
import { openOverlay, useShortcuts } from '../palette/shortcuts.ts';
import { useLoadedOnIdle } from '../palette/use-loaded-on-idle.ts';
import { lastListing } from '../products/last-listing.ts';
import { sessionExpired } from '../server/session-expiry.ts';
import { otherShop } from '../server/shop.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { SupportNotice } from '../support-view/support-notice.tsx';
import { useReloadWithSupportView } from '../support-view/support-view.ts';
import { SupportViewBar } from '../support-view/support-view-bar.tsx';
import { TestDataBar } from '../test-data/test-data-bar.tsx';
import { useIsTestData } from '../test-data/use-test-data.ts';
import { Frame } from './frame.tsx';
import { GoToIcon } from './go-to.tsx';
import { Navigation } from './navigation.tsx';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const Shortcuts = lazy(async () => ({
  default: (await import('../palette/console-shortcuts.tsx')).ConsoleShortcuts,
}));
const OtherShopDialog = lazy(() => import('./other-shop-dialog.tsx'));
const SessionExpiredDialog = lazy(() => import('../sign-in/session-expired-dialog.tsx'));

/** The frame around every page of a signed-in user. */
export function Page() {
  const { merchant, support_view: supportView, support_until: supportUntil } = useSession();
  const { time_zone: timeZone, currency } = merchant;
  const formats = useMemo(() => new Formats(timeZone, currency), [timeZone, currency]);
  const isExpired = useStore(sessionExpired);
  const isTestData = useIsTestData();
  const hasOtherShop = useStore(otherShop) !== undefined;
  const overlay = useStore(openOverlay);
  const navigate = useNavigate();
  const openProducts = useCallback(
    () => void navigate({ to: '/products', search: lastListing.get() }),
    [navigate],
  );
  const openPage = useCallback(
    (letter: string) => {
      const page = listedPages.find((each) => each.letter === letter);
      if (page !== undefined) void navigate({ to: page.to });
    },
    [navigate],
  );
  useShortcuts({ onSearch: openProducts, onPage: openPage });
  useReloadWithSupportView();
  useLoadedOnIdle(loadPalette);
  return (
    <FormatsContext value={formats}>
      <Frame
        navigation={<Navigation />}
        banner={
          <>
            {isTestData && <TestDataBar />}
            {supportView === null ? (
              supportUntil !== null && <SupportNotice until={supportUntil} />
            ) : (
              <SupportViewBar merchant={merchant} view={supportView} />
            )}
          </>
        }
        barAction={<GoToIcon label="Go to an order, product, page, or action" />}
      />
      <Suspense>
        {overlay === 'palette' && <Palette />}
        {overlay === 'shortcuts' && <Shortcuts />}
      </Suspense>
      <Suspense>{hasOtherShop && <OtherShopDialog />}</Suspense>
      <Suspense>{isExpired && supportView === null && <SessionExpiredDialog />}</Suspense>
    </FormatsContext>
  );
}
