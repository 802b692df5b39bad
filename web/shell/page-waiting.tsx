import { Skeleton } from '@mantine/core';
import shell from './shell.module.css';

/** While a page's code is on its way. */
export function PageWaiting() {
  return (
    <div aria-busy="true">
      <span className="unseen">Loading</span>
      <Skeleton height={32} width={200} mb={10} />
      <Skeleton height={16} width="min(420px, 80%)" mb={28} />
      <Skeleton height={320} radius="md" />
    </div>
  );
}

/** While it is not known yet who is signed in. */
export function FrameWaiting() {
  return (
    <div className={shell.frame}>
      <div className={shell.rail} />
      <div className={shell.bar}>&nbsp;</div>
      <main className={shell.main}>
        <div className={shell.page}>
          <PageWaiting />
        </div>
      </main>
    </div>
  );
}
