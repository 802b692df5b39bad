import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../feedback/error-state.tsx';
import { PageGone } from '../lazy-page.ts';

/** In the place of a page that could not be shown. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <h1 className="unseen">Error</h1>
      <ErrorState error={error} retry={retry}>
        {error instanceof PageGone && <Button onClick={() => location.reload()}>Reload the console</Button>}
      </ErrorState>
    </>
  );
}
