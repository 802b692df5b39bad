import { Button } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { fieldErrors } from '../feedback/field-errors.ts';
import { ServerError } from '../server/server-error.ts';
import { LinkButton } from '../shell/link-button.tsx';
import { asVisitor } from './auth.ts';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { FormProblem } from './form-problem.tsx';
import { NewPassword } from './new-password.tsx';

const route = getRouteApi('/set-password');

/** What is wrong with the password stands beside it; all else that is refused is the link. */
function isAboutLink(error: unknown): boolean {
  return (
    error instanceof ServerError && error.status === 400 && error.fields.every(({ name }) => name === 'token')
  );
}

/** Where the one-time link of an invitation leads. */
export function Page() {
  const { token } = route.useSearch();
  const [password, setPassword] = useState('');
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => asVisitor('reset-password', { newPassword: password, token: token ?? '' }),
  });
  if (isSuccess) {
    return (
      <Door title="Your password is set">
        <EmptyState
          Icon={IconCircleCheck}
          title="You can sign in now"
          words="With your e-mail address and this password."
        >
          <LinkButton to="/sign-in">Sign in</LinkButton>
        </EmptyState>
      </Door>
    );
  }
  if (token === undefined || isAboutLink(error)) {
    return (
      <Door title="This link does not work any more">
        <EmptyState
          Icon={IconLinkOff}
          title="It has been used, or its time is over"
          words="A link sets a password once. If you have set one, sign in with it; else ask who runs this Tradepost for a new link."
        >
          <LinkButton to="/sign-in" variant="default">
            Go to sign-in
          </LinkButton>
        </EmptyState>
      </Door>
    );
  }
  const problem = fieldErrors(error).newPassword;
  return (
    <Door title="Set your password" lead="It is for the console; your software goes on using API keys.">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormProblem error={problem === undefined ? error : null} />
        <NewPassword value={password} onChange={setPassword} label="Password" error={problem} />
        <Button type="submit" loading={isPending}>
          Set password
        </Button>
      </form>
    </Door>
  );
}
