import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { reachable } from '../server/reachable.ts';
import { useStore } from '../server/store.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageLoadError } from './lazy-page.ts';

/**
 * Replaces a page that failed. Retries automatically when the server becomes reachable again. Until then it
 * does not offer to reload the console, which the browser's own error page would replace.
 */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isReachable = useStore(reachable);
  const retry = useCallback((): void => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useEffect(() => reachable.subscribe(() => reachable.get() && retry()), [retry]);
  return (
    <>
      <h1 className="visually-hidden">Error</h1>
      <ErrorState error={error} retry={retry}>
        {error instanceof PageLoadError && isReachable && (
          <Button onClick={() => location.reload()}>Reload the console</Button>
        )}
      </ErrorState>
    </>
  );
}
