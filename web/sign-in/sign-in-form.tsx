import type { ReactNode } from 'react';
import { useSingleSignOn } from '../session/single-sign-on.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordStep } from './password-step.tsx';
import { ProviderButton } from './provider-button.tsx';
import styles from './sign-in.module.css';
import { problemTexts, type SignInSearch } from './sign-in-search.ts';

interface Props {
  search: SignInSearch;
  onTwoFactor: () => void;
  onDone: () => void;
  /** About passwords. Passkeys are off where passwords are. */
  children: ReactNode;
}

/** The ways to sign in: by password, passkey and the identity provider, as the service is set up. */
export function SignInForm({ search: { next = '/', problem, by }, onTwoFactor, onDone, children }: Props) {
  const provider = useSingleSignOn();
  const hasPasswords = provider === null || !provider.only || by === 'password';
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problemTexts[problem](provider?.name ?? 'The identity provider')}
        </p>
      )}
      {hasPasswords && <PasswordStep onTwoFactor={onTwoFactor} onDone={onDone} />}
      <div className={styles.provider}>
        {hasPasswords && (
          <>
            <p className={styles.or}>or</p>
            <PasskeyButton offers onDone={onDone} />
          </>
        )}
        {provider !== null && <ProviderButton provider={provider} next={next} />}
      </div>
      {hasPasswords && children}
    </>
  );
}
