import { Button, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../feedback/field-errors.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../shell/panel.tsx';
import { asUser } from '../sign-in/auth.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import { NewPassword } from '../sign-in/new-password.tsx';
import styles from './account.module.css';

export function ChangePassword() {
  const { user } = useSession();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => asUser('change-password', { currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      notifications.show({ message: 'Your password is changed. Your other sessions are signed out.' });
    },
  });
  const problems = fieldErrors(error);
  return (
    <Panel title="Password">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormProblem error={Object.keys(problems).length > 0 ? null : error} />
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          error={problems.currentPassword}
          aria-invalid={problems.currentPassword !== undefined}
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPassword value={newPassword} onChange={setNew} error={problems.newPassword} />
        <p className="soft small">Everywhere else you are signed out.</p>
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
