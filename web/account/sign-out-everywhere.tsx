import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLeave } from '../session/use-sign-out.ts';
import { Panel } from '../shell/panel.tsx';
import { asUser } from '../sign-in/auth.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './account.module.css';

export function SignOutEverywhere() {
  const leave = useLeave();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => asUser('revoke-sessions'),
    onSuccess: leave,
  });
  return (
    <Panel title="Sessions">
      <div className={styles.form}>
        <p className="soft">
          If a device is lost, or you forgot to sign out somewhere: this ends every session of yours, this one
          too. Your API keys go on.
        </p>
        <FormProblem error={error} />
        <div>
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            Sign out everywhere
          </Button>
        </div>
      </div>
    </Panel>
  );
}
