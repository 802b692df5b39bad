import { Button } from '@mantine/core';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { useSwitchShop } from '../session/switch-shop.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

/** Tells the users of a suspended merchant why the console is closed. */
export function Page() {
  const { merchant, shops, suspension_reason: reason } = useSession();
  const others = shops.filter(({ id }) => id !== merchant.id);
  const switchShop = useSwitchShop();
  const signOut = useSignOut();
  return (
    <SignInLayout
      title="Account suspended"
      lead="Your marketplace operator has suspended this account. API keys don’t work and imports are stopped, but no data is lost. Contact your operator to reactivate the account."
    >
      {reason !== null && <Notice>{reason}</Notice>}
      <div className={styles.form}>
        {others.map(({ id, name }) => (
          <Button key={id} onClick={() => void switchShop(id)}>
            Switch to {name}
          </Button>
        ))}
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </SignInLayout>
  );
}
