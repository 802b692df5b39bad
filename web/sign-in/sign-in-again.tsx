import { useState } from 'react';
import { Dialog } from '../feedback/dialog.tsx';
import { sessionGivenUp, sessionIsBack } from '../server/sign-in-again.ts';
import { useSession } from '../session/session.ts';
import { useLeave } from '../session/use-sign-out.ts';
import styles from './door.module.css';
import { PasswordStep } from './password-step.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

/** Over a page whose session has ended: what was typed into it stays, and what was asked goes on. */
export default function SignInAgain() {
  const { user } = useSession();
  const leave = useLeave();
  const [step, setStep] = useState<'password' | 'second-factor'>('password');
  const done = (): void => {
    setStep('password');
    sessionIsBack();
  };
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      title="Your session has ended"
    >
      <p className="soft">Sign in again to go on where you were. Nothing that you typed is lost.</p>
      {step === 'password' ? (
        <PasswordStep fixedEmail={user.email} onSecondFactor={() => setStep('second-factor')} onDone={done} />
      ) : (
        <SecondFactorStep onDone={done} onBack={() => setStep('password')} />
      )}
      <p className={styles.more}>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            sessionGivenUp();
            leave();
          }}
        >
          Leave this page and sign in as someone else
        </button>
      </p>
    </Dialog>
  );
}
