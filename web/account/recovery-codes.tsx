import { Button } from '@mantine/core';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconDownload } from '../ui/icons.ts';
import styles from './account.module.css';

/** Shows recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <div className={styles.form}>
      <p>
        <strong>Save these recovery codes.</strong> Each signs you in once without your phone. You won’t see
        them again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton value={text} label="recovery codes" />
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="tradepost-recovery-codes.txt"
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} />}
        >
          Download
        </Button>
      </div>
      <div>
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  );
}
