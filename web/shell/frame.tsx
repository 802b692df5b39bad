import { Burger, Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { rowAnnouncement } from '../palette/row-keys.ts';
import { applicationName } from '../server/application.ts';
import { useStore } from '../server/store.ts';
import { Logo } from '../ui/logo.tsx';
import { Notices } from '../ui/notices.tsx';
import styles from './shell.module.css';

interface Props {
  navigation: ReactNode;
  /** At the end of the bar that replaces the navigation on narrow windows. */
  barAction?: ReactNode;
  /** Above the page, always visible. */
  banner?: ReactNode;
}

/** The navigation, and the page beside it. */
export function Frame({ navigation, barAction, banner }: Props) {
  const main = useRef<HTMLElement>(null);
  const [opened, { open, close }] = useDisclosure(false);
  // The width up to which shell.module.css hides the rail.
  const isNarrow = useMediaQuery('(max-width: 61.99em)');
  const announcement = useStore(rowAnnouncement);
  useFocusOnNewPage(main, close);
  return (
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
      <div className={styles.rail}>{navigation}</div>
      <nav className={styles.bar} aria-label="Top">
        <Burger opened={opened} onClick={open} aria-label="Open menu" color="#fff" size="sm" />
        <Logo size={26} />
        <strong>{applicationName}</strong>
        {barAction}
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
        {navigation}
      </Drawer>
      <div className="visually-hidden" aria-live="polite">
        {announcement}
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <div className={styles.top}>
          {banner}
          <Notices />
        </div>
        <div className={styles.page}>
          <Outlet />
        </div>
      </main>
    </div>
  );
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
