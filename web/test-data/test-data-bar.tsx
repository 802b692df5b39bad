import { useState } from 'react';
import { useAllows } from '../session/role.ts';
import { IconTestPipe } from '../ui/icons.ts';
import { ModeBar, modeButton } from '../ui/mode-bar.tsx';
import { ResetTestData } from './reset-test-data.tsx';
import styles from './test-data.module.css';
import { useSwitchTestData } from './use-test-data.ts';

/** Says on every page that it shows test data. */
export function TestDataBar() {
  const change = useSwitchTestData();
  const canEdit = useAllows('editor');
  const [isResetting, setResetting] = useState(false);
  return (
    <>
      <ModeBar
        mode="test"
        label="Test data"
        Icon={IconTestPipe}
        text={
          <>
            <strong>Test data</strong>
            <span className={styles.explanation}>Nothing here is real, and your shop doesn’t change.</span>
          </>
        }
      >
        {canEdit && (
          <button type="button" className={modeButton} onClick={() => setResetting(true)}>
            Reset…
          </button>
        )}
        {change !== undefined && (
          <button type="button" className={modeButton} onClick={() => void change(false)}>
            Leave<span className={styles.long}> test data</span>
          </button>
        )}
      </ModeBar>
      {isResetting && <ResetTestData onClose={() => setResetting(false)} />}
    </>
  );
}
