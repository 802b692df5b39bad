import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { Formats } from '../format/formats.ts';
import { FormatsContext } from '../format/use-formats.ts';
import { openOverlay, useShortcuts } from '../palette/shortcuts.ts';
import { sessionExpired } from '../server/session-expiry.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { IconSearch } from '../ui/icons.ts';
import { Frame } from './frame.tsx';
import { Navigation } from './navigation.tsx';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('../palette/shortcuts-dialog.tsx')).ShortcutsDialog,
}));
const SessionExpiredDialog = lazy(() => import('../sign-in/session-expired-dialog.tsx'));

/** The frame around every page of a signed-in user. */
export function Page() {
  const { time_zone: timeZone, currency } = useSession().merchant;
  const formats = useMemo(() => new Formats(timeZone, currency), [timeZone, currency]);
  const isExpired = useStore(sessionExpired);
  const overlay = useStore(openOverlay);
  useShortcuts();
  usePaletteLoadedOnIdle();
  return (
    <FormatsContext value={formats}>
      <Frame
        navigation={<Navigation />}
        barAction={
          <ActionIcon
            variant="transparent"
            color="white"
            ml="auto"
            aria-label="Go to an order, product, page, or action"
            onClick={() => openOverlay.set('palette')}
          >
            <IconSearch size={20} />
          </ActionIcon>
        }
      />
      <Suspense>
        {overlay === 'palette' && <Palette />}
        {overlay === 'shortcuts' && <ShortcutsDialog />}
      </Suspense>
      <Suspense>{isExpired && <SessionExpiredDialog />}</Suspense>
    </FormatsContext>
  );
}

/** Loads the palette once the page is idle, so that it opens at once. */
function usePaletteLoadedOnIdle(): void {
  useEffect(() => {
    // Opening the palette tries again, and reports the error.
    const load = (): void => void loadPalette().catch(() => {});
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(load, 1_000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, []);
}
