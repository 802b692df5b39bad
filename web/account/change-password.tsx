import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../session/any-session.ts';
import { authRequest } from '../session/auth.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { CurrentPasswordInput, NewPasswordInput } from '../ui/password-inputs.tsx';
import styles from './account.module.css';

export function ChangePassword() {
  const user = useUser();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useMutation({
    mutationFn: () => authRequest('change-password', { currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      notifications.show({ message: 'Password changed. Your other devices are signed out.' });
    },
  });
  const problems = fieldErrors(change.error);
  return (
    <Panel anchor="password" title="Password">
      <Form
        className={styles.form}
        action="Change password"
        button={{ variant: 'default' }}
        mutation={change}
        inputs={['currentPassword', 'newPassword']}
        onSubmit={() => change.mutate()}
      >
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <CurrentPasswordInput
          label="Current password"
          error={problems.currentPassword}
          value={currentPassword}
          onChange={setCurrent}
        />
        <NewPasswordInput value={newPassword} onChange={setNew} error={problems.newPassword} />
        <p className="muted small">This signs out your other devices.</p>
      </Form>
    </Panel>
  );
}
