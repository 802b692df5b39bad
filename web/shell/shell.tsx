import { ActionIcon, Burger, Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import { Formats } from '../format/formats.ts';
import { FormatsContext } from '../format/use-formats.ts';
import { openOverlay, useShortcuts } from '../palette/shortcuts.ts';
import { sessionExpired } from '../server/session-expiry.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { IconSearch } from '../ui/icons.ts';
import { Logo } from '../ui/logo.tsx';
import { Notices } from '../ui/notices.tsx';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('../palette/shortcuts-dialog.tsx')).ShortcutsDialog,
}));
const SessionExpiredDialog = lazy(() => import('../sign-in/session-expired-dialog.tsx'));

/** The frame around every page of a signed-in user. */
export function Page() {
  const main = useRef<HTMLElement>(null);
  const [opened, { open, close }] = useDisclosure(false);
  // The width up to which shell.module.css hides the rail.
  const isNarrow = useMediaQuery('(max-width: 61.99em)');
  const { time_zone: timeZone, currency } = useSession().merchant;
  const formats = useMemo(() => new Formats(timeZone, currency), [timeZone, currency]);
  const isExpired = useStore(sessionExpired);
  const overlay = useStore(openOverlay);
  useFocusOnNewPage(main, close);
  useShortcuts();
  usePaletteLoadedOnIdle();
  return (
    <FormatsContext value={formats}>
      <div className={styles.frame}>
        {/* biome-ignore lint/a11y/useValidAnchor: it moves the focus within the page and must not change the URL */}
        <a
          href="#main"
          className={styles.skip}
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to content
        </a>
        <div className={styles.rail}>
          <Navigation />
        </div>
        <nav className={styles.bar} aria-label="Top">
          <Burger opened={opened} onClick={open} aria-label="Open menu" color="#fff" size="sm" />
          <Logo size={26} />
          <strong>Tradepost</strong>
          <ActionIcon
            variant="transparent"
            color="white"
            ml="auto"
            aria-label="Go to an order, product, page, or action"
            onClick={() => openOverlay.set('palette')}
          >
            <IconSearch size={20} />
          </ActionIcon>
        </nav>
        <Drawer
          opened={opened && isNarrow}
          onClose={close}
          size={270}
          withCloseButton={false}
          title="Navigation"
          classNames={{
            content: styles.drawer ?? '',
            header: 'visually-hidden',
            body: styles.drawerBody ?? '',
          }}
        >
          <Navigation />
        </Drawer>
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <Notices />
          <div className={styles.page}>
            <Outlet />
          </div>
        </main>
        <Suspense>
          {overlay === 'palette' && <Palette />}
          {overlay === 'shortcuts' && <ShortcutsDialog />}
        </Suspense>
        <Suspense>{isExpired && <SessionExpiredDialog />}</Suspense>
      </div>
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

/** Moves the focus to each new page, so that screen readers start there as after a full load. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>, closeNavigation: () => void): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    closeNavigation();
    main.current?.focus({ preventScroll: true });
  }, [pathname, main, closeNavigation]);
}
