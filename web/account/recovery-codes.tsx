import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { CopyButton } from '../feedback/copy-button.tsx';
import styles from './account.module.css';

/** The only time that they are seen. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <div className={styles.form}>
      <p>
        <strong>Keep these recovery codes.</strong> Each lets you in once when your phone is not at hand. They
        are not shown again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton value={text} what="the recovery codes" />
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="tradepost-recovery-codes.txt"
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden="true" />}
        >
          Download
        </Button>
      </div>
      <div>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  );
}
