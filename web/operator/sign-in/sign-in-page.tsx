import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../server/query-client.ts';
import styles from '../../sign-in/sign-in.module.css';
import { SignInForm } from '../../sign-in/sign-in-form.tsx';
import { SignInLayout } from '../../sign-in/sign-in-layout.tsx';
import { TwoFactorStep } from '../../sign-in/two-factor-step.tsx';
import { optionsQuery, sessionQuery } from '../session.ts';

const route = getRouteApi('/sign-in');

export function Page() {
  const [step, setStep] = useState<'password' | 'two-factor'>('password');
  const { data: options } = useQuery(optionsQuery);
  const search = route.useSearch();
  const navigate = useNavigate();
  const enter = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await navigate({ href: search.next ?? '/', replace: true });
  };
  if (options?.set_up === 'link') {
    return (
      <SignInLayout
        title="Set up your marketplace"
        lead="Nobody can sign in yet. The service prints a set-up link when it starts."
      >
        <p className={styles.more}>
          The link works once, for 30 minutes; a restart prints a new one. Without it,{' '}
          <code>tradepost operators invite</code> creates the first operator.
        </p>
      </SignInLayout>
    );
  }
  if (options?.set_up === 'command') {
    return (
      <SignInLayout
        title="Invite the first operator"
        lead="Nobody can sign in yet. There are merchants already, so the service prints no set-up link."
      >
        <p className={styles.more}>
          Run <code>tradepost operators invite --email YOU@EXAMPLE.COM</code> on the machine of the service.
        </p>
      </SignInLayout>
    );
  }
  if (step === 'two-factor') {
    return (
      <SignInLayout title="Two-factor authentication" lead="Enter your code.">
        <TwoFactorStep onDone={() => void enter()} onBack={() => setStep('password')} />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Sign in" lead="Run your marketplace.">
      <SignInForm search={search} onTwoFactor={() => setStep('two-factor')} onDone={() => void enter()}>
        <p className={styles.more}>Forgot your password? Ask an admin for a new link.</p>
      </SignInForm>
    </SignInLayout>
  );
}
