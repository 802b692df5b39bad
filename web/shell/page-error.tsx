import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { PageLoadError } from '../routing/lazy-page.ts';
import { reachable } from '../server/reachable.ts';
import { ErrorState } from '../ui/error-state.tsx';

/** Replaces a page that failed. Retries automatically when the server becomes reachable again. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback((): void => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useEffect(() => reachable.subscribe(() => reachable.get() && retry()), [retry]);
  return (
    <>
      <h1 className="visually-hidden">Error</h1>
      <ErrorState error={error} retry={retry}>
        {error instanceof PageLoadError && (
          <Button onClick={() => location.reload()}>Reload the console</Button>
        )}
      </ErrorState>
    </>
  );
}
