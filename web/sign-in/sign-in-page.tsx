import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../server/query-client.ts';
import { optionsQuery, sessionQuery } from '../session/session.ts';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { PasswordStep } from './password-step.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

const route = getRouteApi('/sign-in');

export function Page() {
  const [step, setStep] = useState<'password' | 'second-factor'>('password');
  const { data: options } = useQuery(optionsQuery);
  const { next = '/' } = route.useSearch();
  const navigate = useNavigate();
  const enter = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await navigate({ href: next, replace: true });
  };
  if (step === 'second-factor') {
    return (
      <Door title="One more step" lead="Your account asks for a second factor.">
        <SecondFactorStep onDone={() => void enter()} onBack={() => setStep('password')} />
      </Door>
    );
  }
  return (
    <Door title="Sign in" lead="To the console of your shop.">
      <PasswordStep onSecondFactor={() => setStep('second-factor')} onDone={() => void enter()} />
      <p className={styles.more}>
        Password forgotten? Ask who runs this Tradepost for a new link.
        {options?.self_registration && (
          <>
            {' '}
            No account yet? <Link to="/register">Register your shop</Link>
          </>
        )}
      </p>
    </Door>
  );
}
