import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { request } from '../server/request.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { IconCircleCheck } from '../ui/icons.ts';
import { EmailInput } from './email-input.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

interface Props {
  path: 'password-links' | 'registration-links';
  title: string;
  lead: string;
  /** Says that the link was requested. The server does not tell whether the email has an account. */
  sent: (email: string) => string;
  /** Links to other pages. */
  children: ReactNode;
}

/** A page that requests an email with a link. */
export function LinkRequest({ path, title, lead, sent, children }: Props) {
  const [email, setEmail] = useState('');
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => request<void>(path, { method: 'POST', body: { email }, needsSession: false }),
  });
  const more = <p className={styles.more}>{children}</p>;
  if (isSuccess) {
    return (
      <SignInLayout title="Check your email">
        <EmptyState
          Icon={IconCircleCheck}
          title={sent(email)}
          description="It works once, within one hour. If you requested a link less than 20 minutes ago, use that one. If nothing arrives, check the address and your spam folder."
        />
        {more}
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={title} lead={lead}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormError error={error} inputs={['email']} />
        <EmailInput
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldErrors(error).email}
        />
        <Button type="submit" loading={isPending}>
          Send link
        </Button>
      </form>
      {more}
    </SignInLayout>
  );
}
