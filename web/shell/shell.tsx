import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import { Formats } from '../format/formats.ts';
import { FormatsContext } from '../format/use-formats.ts';
import { sessionEnded } from '../server/sign-in-again.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import styles from './shell.module.css';

const SignInAgain = lazy(() => import('../sign-in/sign-in-again.tsx'));

/** What stands around every page of a signed-in merchant. */
export function Page() {
  const main = useRef<HTMLElement>(null);
  const [opened, { open, close }] = useDisclosure(false);
  const { time_zone: timeZone } = useSession().merchant;
  const formats = useMemo(() => new Formats(timeZone), [timeZone]);
  const hasEnded = useStore(sessionEnded);
  useFocusOnNewPage(main, close);
  return (
    <FormatsContext value={formats}>
      <div className={styles.frame}>
        {/* biome-ignore lint/a11y/useValidAnchor: it leads into this page, whose address the router keeps */}
        <a
          href="#main"
          className={styles.skip}
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to the content
        </a>
        <div className={styles.rail}>
          <Navigation />
        </div>
        <nav className={styles.bar} aria-label="Top">
          <Burger opened={opened} onClick={open} aria-label="Open the navigation" color="#fff" size="sm" />
          <Mark size={26} />
          <strong>Tradepost</strong>
        </nav>
        <Drawer
          opened={opened}
          onClose={close}
          size={270}
          withCloseButton={false}
          title="Navigation"
          classNames={{ content: styles.drawer ?? '', header: 'unseen', body: styles.drawerBody ?? '' }}
        >
          <Navigation />
        </Drawer>
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <Notices />
          <div className={styles.page}>
            <Outlet />
          </div>
        </main>
        <Suspense>{hasEnded && <SignInAgain />}</Suspense>
      </div>
    </FormatsContext>
  );
}

/** Screen readers go on at the new page, as they would after a full load. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>, closeNavigation: () => void): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    closeNavigation();
    main.current?.focus({ preventScroll: true });
  }, [pathname, main, closeNavigation]);
}
