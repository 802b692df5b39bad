import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { post } from '../server/request.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
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
  const sending = useMutation({
    mutationFn: () => post<void>(path, { email }, { needsSession: false }),
  });
  const more = <p className={styles.more}>{children}</p>;
  if (sending.isSuccess) {
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
      <Form
        className={styles.form}
        noValidate
        action="Send link"
        mutation={sending}
        inputs={['email']}
        onSubmit={() => sending.mutate()}
      >
        <EmailInput
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldErrors(sending.error).email}
        />
      </Form>
      {more}
    </SignInLayout>
  );
}
