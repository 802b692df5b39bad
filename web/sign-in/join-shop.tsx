import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JoinedShop } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';
import { sessionQuery } from '../session/session.ts';
import { forgetSession } from '../session/sign-out.ts';
import { useSingleSignOn } from '../session/single-sign-on.ts';
import { openShop } from '../session/switch-shop.ts';
import { Form } from '../ui/form.tsx';
import { FormError } from '../ui/form-error.tsx';
import { SetPassword } from './set-password.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { TwoFactorStep } from './two-factor-step.tsx';
import { keepLinkToken } from './use-link-token.ts';

interface Props {
  token: string;
  shop: string;
  /** Completes “otherwise …”: how to get a new link. */
  newLink: string;
}

/** Accepts an invitation to another shop as a user who has an account, who signs in if necessary. */
export function JoinShop({ token, shop, newLink }: Props) {
  const [step, setStep] = useState<'join' | 'sign-in' | 'two-factor' | 'new-password'>('join');
  // A sign-in by an identity provider leaves the page, and returns to it without the token.
  useEffect(() => keepLinkToken(token), [token]);
  const session = useQuery(sessionQuery).data;
  const provider = useSingleSignOn();
  const joining = useMutation({
    mutationFn: () => post<JoinedShop>('invitations/accept', { token }, { needsSession: false }),
    onSuccess: ({ joined }) => (joined ? openShop() : setStep('new-password')),
    onError: () => setStep(session == null ? 'sign-in' : 'join'),
  });
  const join = (): void => joining.mutate();
  if (step === 'new-password') {
    return (
      <SetPassword
        token={token}
        title={`Set a new password to join ${shop}`}
        lead="Your password was set without proof that this email is yours. Choose one that only you know. You are then signed out everywhere."
        newLink={newLink}
        next="/join"
        onSet={forgetSession}
      />
    );
  }
  if (step === 'two-factor') {
    return (
      <SignInLayout title="Two-factor authentication" lead="Enter your code.">
        <TwoFactorStep onDone={join} onBack={() => setStep('sign-in')} />
      </SignInLayout>
    );
  }
  const title = `Join ${shop}`;
  if (step === 'sign-in' || session == null) {
    const how = provider === null ? 'with your password' : 'as always';
    return (
      <SignInLayout
        title={title}
        lead={`You already have an account. Sign in ${how}, and switch between your shops whenever you like.`}
      >
        <FormError error={joining.error} />
        <SignInForm search={{ next: '/join' }} onTwoFactor={() => setStep('two-factor')} onDone={join}>
          {null}
        </SignInForm>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title={title}
      lead={`You are signed in as ${session.user.email}. You can switch between your shops whenever you like.`}
    >
      <Form className={styles.form} action={title} mutation={joining} onSubmit={join} />
      <p className={styles.more}>
        <button type="button" className="text-button" onClick={() => setStep('sign-in')}>
          Use another account
        </button>
      </p>
    </SignInLayout>
  );
}
