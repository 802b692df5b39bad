import { Button, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { authRequest } from '../session/auth.ts';
import { useSession } from '../session/session.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { NewPasswordInput } from '../ui/new-password-input.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';

export function ChangePassword() {
  const { user } = useSession();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => authRequest('change-password', { currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      notifications.show({ message: 'Password changed. Your other devices are signed out.' });
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
        <FormError error={error} inputs={['currentPassword', 'newPassword']} />
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
        <NewPasswordInput value={newPassword} onChange={setNew} error={problems.newPassword} />
        <p className="muted small">This signs out your other devices.</p>
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
