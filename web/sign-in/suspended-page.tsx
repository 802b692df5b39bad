import { Button } from '@mantine/core';
import { useSignOut } from '../session/sign-out.ts';
import { SignInLayout } from './sign-in-layout.tsx';

/** Tells the users of a suspended merchant why the console is closed. */
export function Page() {
  const signOut = useSignOut();
  return (
    <SignInLayout
      title="Account suspended"
      lead="Your marketplace operator has suspended this account. Its API keys are refused and its imports are stopped, but its data is kept. Contact your operator to activate the account."
    >
      <Button variant="default" onClick={signOut}>
        Sign out
      </Button>
    </SignInLayout>
  );
}
