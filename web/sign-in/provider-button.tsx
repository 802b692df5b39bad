import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SingleSignOnOption, SingleSignOnStart } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';
import { FormError } from '../ui/form-error.tsx';

interface Props {
  provider: SingleSignOnOption;
  /** The page to return to. */
  next: string;
}

/** Leads to the identity provider, which sends the browser back to `next`. */
export function ProviderButton({ provider: { name, only }, next }: Props) {
  const start = useMutation({
    mutationFn: () => post<SingleSignOnStart>('auth/single-sign-on', { next }, { needsSession: false }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <FormError error={start.error} />
      <Button
        fullWidth
        variant={only ? 'filled' : 'default'}
        // It stays busy while the browser leaves the page.
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Sign in with {name}
      </Button>
    </>
  );
}
