import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../server/server-error.ts';
import { SignInLayout } from '../sign-in/sign-in-layout.tsx';
import { FormError } from '../ui/form-error.tsx';
import { endSupportView, openSupportView } from './support-view.ts';

/** Opens a support view with the code of a link; without a code, says that the view has ended. */
export function Page() {
  const [code] = useState(() => location.hash.slice(1));
  return code === '' ? <Ended /> : <Opening code={code} />;
}

function Opening({ code }: { code: string }) {
  const { error } = useQuery({
    queryKey: ['support-view', code],
    queryFn: async () => {
      await openSupportView(code);
      return true;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <SignInLayout
      title="Support view"
      lead={error === null ? 'Opening the merchant’s console…' : errorMessage(error)}
    >
      {null}
    </SignInLayout>
  );
}

function Ended() {
  const ending = useMutation({ mutationFn: endSupportView });
  return (
    <SignInLayout
      title="Support view ended"
      lead="A support view lasts one hour at most, and ends when you sign out of the operator’s screen."
    >
      <FormError error={ending.error} />
      <Button mt="md" loading={ending.isPending} onClick={() => ending.mutate()}>
        Continue
      </Button>
    </SignInLayout>
  );
}
