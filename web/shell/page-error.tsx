import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { ErrorState } from '../feedback/error-state.tsx';
import { PageGone } from '../lazy-page.ts';
import { reachable } from '../server/reachable.ts';

/** In the place of a page that could not be shown. Tries again when a server that was away is back. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback((): void => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useEffect(() => reachable.subscribe(() => reachable.get() && retry()), [retry]);
  return (
    <>
      <h1 className="unseen">Error</h1>
      <ErrorState error={error} retry={retry}>
        {error instanceof PageGone && <Button onClick={() => location.reload()}>Reload the console</Button>}
      </ErrorState>
    </>
  );
}
