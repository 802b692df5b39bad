import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { request } from '../server/request.ts';
import { optionsQuery } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { IconCircleCheck } from '../ui/icons.ts';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

/** Requests an email with a link to set a new password. */
export function Page() {
  const { data: options } = useQuery(optionsQuery);
  const [email, setEmail] = useState('');
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () =>
      request<void>('password-links', { method: 'POST', body: { email }, needsSession: false }),
  });
  const backToSignIn = (
    <p className={styles.more}>
      <Link to="/sign-in">Back to sign in</Link>
    </p>
  );
  if (options?.mail === false) {
    return (
      <SignInLayout title="Forgot your password?" lead="Ask your marketplace operator for a new link.">
        {backToSignIn}
      </SignInLayout>
    );
  }
  if (isSuccess) {
    return (
      <SignInLayout title="Check your email">
        <EmptyState
          Icon={IconCircleCheck}
          title={`If ${email} has an account, a link is on its way`}
          description="It works once, within one hour. If you requested a link less than 20 minutes ago, use that one. If nothing arrives, check the address and your spam folder."
        />
        {backToSignIn}
      </SignInLayout>
    );
  }
  const problem = fieldErrors(error).email;
  return (
    <SignInLayout title="Forgot your password?" lead="Get a link to set a new one.">
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormError error={error} inputs={['email']} />
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={problem}
        />
        <Button type="submit" loading={isPending}>
          Send link
        </Button>
      </form>
      {backToSignIn}
    </SignInLayout>
  );
}
