import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ServerError } from '../server/server-error.ts';
import { publicAuthRequest } from '../session/auth.ts';
import { useSingleSignOn } from '../session/single-sign-on.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { IconCircleCheck } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { NewPasswordInput } from '../ui/password-inputs.tsx';
import { linkQuery } from './link-query.ts';
import { ProviderButton } from './provider-button.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

/** Whether the server rejected the link, not the password. */
function isAboutLink(error: unknown): boolean {
  return (
    error instanceof ServerError && error.status === 400 && error.fields.every(({ name }) => name === 'token')
  );
}

interface Props {
  /** Empty if the address has none. */
  token: string;
  title?: string;
  /** What the password is for. */
  lead: string;
  /** Completes “otherwise …”: how to get a new link. */
  newLink: string;
  /** The page that the identity provider returns to, if it signs the person in instead. */
  next?: string;
  onSet?: () => void;
  /** A link to the page that sends a new link, if there is one. */
  children?: ReactNode;
}

/** The content of the page that a one-time password link opens. */
export function SetPassword({
  token,
  title = 'Set your password',
  lead,
  newLink,
  next = '/',
  onSet,
  children,
}: Props) {
  // If the state cannot be read, sending the password will tell.
  const { data: link } = useQuery({
    ...linkQuery('password-links', token),
    enabled: token !== '',
  });
  const provider = useSingleSignOn();
  const [password, setPassword] = useState('');
  const setting = useMutation({
    mutationFn: () => publicAuthRequest('reset-password', { newPassword: password, token }),
    ...(onSet !== undefined && { onSuccess: onSet }),
  });
  if (setting.isSuccess) {
    return (
      <SignInLayout title="Your password is set">
        <EmptyState
          Icon={IconCircleCheck}
          title="You can sign in now"
          description="Use your email and this password."
        >
          <LinkButton to="/sign-in" search={provider?.only ? { by: 'password' } : {}}>
            Sign in
          </LinkButton>
        </EmptyState>
      </SignInLayout>
    );
  }
  if (provider?.only && link?.valid === false) {
    return (
      <SignInLayout
        title="No password is needed"
        lead={`Sign in with ${provider.name}. If you were invited, this accepts the invitation: use the email address that was invited.`}
      >
        <div className={styles.provider}>
          <ProviderButton provider={provider} next={next} />
        </div>
      </SignInLayout>
    );
  }
  if (token === '' || link?.valid === false || isAboutLink(setting.error)) {
    return (
      <SignInLayout
        title="This link has expired or was already used"
        lead={`If you have set a password, sign in with it; otherwise ${newLink}.`}
      >
        <p className={styles.more}>
          <Link to="/sign-in">Back to sign in</Link>
          {children}
        </p>
      </SignInLayout>
    );
  }
  const problem = fieldErrors(setting.error).newPassword;
  return (
    <SignInLayout title={title} lead={lead}>
      <Form
        className={styles.form}
        action="Set password"
        mutation={setting}
        inputs={['newPassword']}
        onSubmit={() => setting.mutate()}
      >
        <NewPasswordInput value={password} onChange={setPassword} label="Password" error={problem} />
      </Form>
      {provider !== null && !provider.only && (
        <div className={styles.provider}>
          <p className={styles.or}>or without a password</p>
          <ProviderButton provider={provider} next={next} />
        </div>
      )}
    </SignInLayout>
  );
}
