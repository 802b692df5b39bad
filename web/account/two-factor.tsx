import { Button } from '@mantine/core';
import { useState } from 'react';
import { refresh } from '../server/query-client.ts';
import { useUser } from '../session/any-session.ts';
import { Chip } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';
import { DisableTwoFactor } from './disable-two-factor.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';

type OpenDialog = 'set-up' | 'codes' | 'disable';

interface Props {
  /** Who requires it, such as “Your marketplace operator”; null if nobody does. */
  requiredBy: string | null;
}

export function TwoFactor({ requiredBy }: Props) {
  const isEnabled = useUser().two_factor;
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => {
    setDialog(undefined);
    void refresh('session');
  };
  return (
    <Panel
      anchor="two-factor"
      title="Two-factor authentication"
      aside={<Chip tone={isEnabled ? 'good' : 'quiet'}>{isEnabled ? 'Enabled' : 'Disabled'}</Chip>}
    >
      <div className={styles.form}>
        <p className="muted">
          {isEnabled
            ? 'Sign-in requires a code from your authenticator app, or a recovery code.'
            : 'Require a code from an authenticator app at sign-in.'}
          {isEnabled && requiredBy !== null && ` ${requiredBy} requires it.`}
        </p>
        <div className={styles.buttons}>
          {isEnabled ? (
            <>
              <Button variant="default" onClick={() => setDialog('codes')}>
                Create recovery codes
              </Button>
              {requiredBy === null && (
                <Button variant="default" onClick={() => setDialog('disable')}>
                  Disable
                </Button>
              )}
            </>
          ) : (
            <Button onClick={() => setDialog('set-up')}>Enable</Button>
          )}
        </div>
      </div>
      {dialog === 'set-up' && <SetUpTwoFactor onClose={close} />}
      {dialog === 'codes' && <NewRecoveryCodes onClose={close} />}
      {dialog === 'disable' && <DisableTwoFactor onClose={close} />}
    </Panel>
  );
}
