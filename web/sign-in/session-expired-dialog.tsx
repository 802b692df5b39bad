import { Button } from '@mantine/core';
import { useState } from 'react';
import { base } from '../server/application.ts';
import { request } from '../server/request.ts';
import { abandonRequests, resumeRequests } from '../server/session-expiry.ts';
import { type AnySession, useAnySession } from '../session/any-session.ts';
import { useGoToSignIn } from '../session/sign-out.ts';
import { useSingleSignOn } from '../session/single-sign-on.ts';
import { LockedDialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordStep } from './password-step.tsx';
import styles from './sign-in.module.css';
import { TwoFactorStep } from './two-factor-step.tsx';

/** A passkey can be another user's, who must not go on with what this user has entered. */
async function continueAs(userId: string, done: () => void): Promise<void> {
  const { user } = await request<AnySession>('session', { needsSession: false });
  if (user.id === userId) done();
  else location.assign(base);
}

/** Asks the user to sign in again, over the page that was open. Its input stays, and its requests resume. */
export default function SessionExpiredDialog() {
  const { user, by_provider: byProvider } = useAnySession();
  const provider = useSingleSignOn();
  const goToSignIn = useGoToSignIn();
  const [step, setStep] = useState<'password' | 'two-factor'>('password');
  const done = (): void => {
    setStep('password');
    resumeRequests();
  };
  return (
    <LockedDialog title="Your session has expired">
      <p className="muted">Sign in again to continue. Your changes are safe.</p>
      {provider !== null && byProvider ? (
        <Form
          className={styles.form}
          action="Continue"
          onSubmit={done}
          text={
            <Button component="a" variant="default" href={`${base}sign-in`} target="_blank" rel="noopener">
              Sign in with {provider.name} in a new tab
            </Button>
          }
        />
      ) : step === 'password' ? (
        <>
          <PasswordStep fixedEmail={user.email} onTwoFactor={() => setStep('two-factor')} onDone={done} />
          <div className={styles.provider}>
            <p className={styles.or}>or</p>
            <PasskeyButton onDone={() => continueAs(user.id, done)} />
          </div>
        </>
      ) : (
        <TwoFactorStep onDone={done} onBack={() => setStep('password')} />
      )}
      <p className={styles.more}>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            abandonRequests();
            goToSignIn();
          }}
        >
          Use another account
        </button>
      </p>
    </LockedDialog>
  );
}
