import { Button } from '@mantine/core';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Notice } from '../ui/notice.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

/** Tells the users of a suspended merchant why the console is closed. */
export function Page() {
  const signOut = useSignOut();
  const { suspension_reason: reason } = useSession();
  return (
    <SignInLayout
      title="Account suspended"
      lead="Your marketplace operator has suspended this account. API keys don’t work and imports are stopped, but no data is lost. Contact your operator to reactivate the account."
    >
      {reason !== null && <Notice>{reason}</Notice>}
      <Button variant="default" onClick={signOut}>
        Sign out
      </Button>
    </SignInLayout>
  );
}
