import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../server/query-client.ts';
import { optionsQuery, sessionQuery } from '../session/session.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { TwoFactorStep } from './two-factor-step.tsx';

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
  if (step === 'two-factor') {
    return (
      <SignInLayout title="Two-factor authentication" lead="Enter your code.">
        <TwoFactorStep onDone={() => void enter()} onBack={() => setStep('password')} />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Sign in" lead="Manage your shop.">
      <SignInForm search={search} onTwoFactor={() => setStep('two-factor')} onDone={() => void enter()}>
        <p className={styles.more}>
          Forgot your password?{' '}
          {options?.mail ? (
            <Link to="/forgot-password">Get a new link</Link>
          ) : (
            'Ask your marketplace operator for a new link.'
          )}
          {options?.self_registration && (
            <>
              {' '}
              No account yet? <Link to="/register">Register your shop</Link>
            </>
          )}
        </p>
      </SignInForm>
    </SignInLayout>
  );
}
