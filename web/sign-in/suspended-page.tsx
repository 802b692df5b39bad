import { Button } from '@mantine/core';
import { useSignOut } from '../session/sign-out.ts';
import { SignInLayout } from './sign-in-layout.tsx';

/** Tells the users of a suspended merchant why the console is closed. */
export function Page() {
  const signOut = useSignOut();
  return (
    <SignInLayout
      title="Account suspended"
      lead="Your marketplace operator has suspended this account. API keys don’t work and imports are stopped, but no data is lost. Contact your operator to reactivate the account."
    >
      <Button variant="default" onClick={signOut}>
        Sign out
      </Button>
    </SignInLayout>
  );
}
