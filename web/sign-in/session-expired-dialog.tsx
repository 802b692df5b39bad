import { useState } from 'react';
import { abandonRequests, resumeRequests } from '../server/session-expiry.ts';
import { useUser } from '../session/any-session.ts';
import { useGoToSignIn } from '../session/sign-out.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordStep } from './password-step.tsx';
import styles from './sign-in.module.css';
import { TwoFactorStep } from './two-factor-step.tsx';

/** Asks the user to sign in again, over the page that was open. Its input stays, and its requests resume. */
export default function SessionExpiredDialog() {
  const user = useUser();
  const goToSignIn = useGoToSignIn();
  const [step, setStep] = useState<'password' | 'two-factor'>('password');
  const done = (): void => {
    setStep('password');
    resumeRequests();
  };
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      title="Your session has expired"
    >
      <p className="muted">Sign in again to continue. Your changes are safe.</p>
      {step === 'password' ? (
        <PasswordStep fixedEmail={user.email} onTwoFactor={() => setStep('two-factor')} onDone={done} />
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
    </Dialog>
  );
}
