import { Button } from '@mantine/core';
import { useFormats } from '../format/use-formats.ts';
import { Progress } from './progress.tsx';
import styles from './uploads.module.css';
import type { Sending } from './use-sending.ts';

export function SendingProgress({ sending: { file, share, stop } }: { sending: Sending }) {
  const { bytes } = useFormats();
  return (
    <div className={styles.waiting}>
      <p>
        <strong>{file?.name}</strong> <span className="soft">{bytes(file?.size ?? 0)}</span>
      </p>
      <Progress label="Sending the file" share={share} />
      <Button variant="default" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}
