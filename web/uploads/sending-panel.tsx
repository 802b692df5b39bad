import { Button } from '@mantine/core';
import { useFormats } from '../format/use-formats.ts';
import { Progress } from './progress.tsx';
import styles from './uploads.module.css';
import type { FileUpload } from './use-file-upload.ts';

export function SendingPanel({ upload: { file, fraction, cancel } }: { upload: FileUpload }) {
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
