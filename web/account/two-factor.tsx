import { Button } from '@mantine/core';
import { useState } from 'react';
import { Chip } from '../feedback/chip.tsx';
import { queryClient } from '../server/query-client.ts';
import { sessionQuery, useSession } from '../session/session.ts';
import { Panel } from '../shell/panel.tsx';
import styles from './account.module.css';
import { DisableTwoFactor } from './disable-two-factor.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';

type Task = 'set-up' | 'codes' | 'disable';

export function TwoFactor() {
  const isOn = useSession().user.two_factor;
  const [task, setTask] = useState<Task>();
  const done = (): void => {
    setTask(undefined);
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  return (
    <Panel
      title="Two-factor authentication"
      aside={<Chip tone={isOn ? 'good' : 'quiet'}>{isOn ? 'on' : 'off'}</Chip>}
    >
      <div className={styles.form}>
        <p className="soft">
          {isOn
            ? 'Signing in asks for a code of your authenticator app, or for one of your recovery codes.'
            : 'With it, your password alone does not let anyone in: signing in also asks for a code of an app on your phone.'}
        </p>
        <div className={styles.buttons}>
          {isOn ? (
            <>
              <Button variant="default" onClick={() => setTask('codes')}>
                New recovery codes
              </Button>
              <Button variant="default" onClick={() => setTask('disable')}>
                Turn it off
              </Button>
            </>
          ) : (
            <Button onClick={() => setTask('set-up')}>Turn it on</Button>
          )}
        </div>
      </div>
      {task === 'set-up' && <SetUpTwoFactor onClose={done} />}
      {task === 'codes' && <NewRecoveryCodes onClose={done} />}
      {task === 'disable' && <DisableTwoFactor onClose={done} />}
    </Panel>
  );
}
