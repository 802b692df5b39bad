import { Button } from '@mantine/core';
import { useFormats } from '../format/use-formats.ts';
import styles from './imports.module.css';
import { Progress } from './progress.tsx';
import type { FileImport } from './use-file-import.ts';

export function SendingPanel({ upload: { file, fraction, cancel } }: { upload: FileImport }) {
  const { bytes } = useFormats();
  return (
    <div className={styles.pending}>
      <p>
        <strong>{file?.name}</strong> <span className="muted">{bytes(file?.size ?? 0)}</span>
      </p>
      <Progress label="Uploading" value={fraction} />
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
