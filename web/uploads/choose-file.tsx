import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './uploads.module.css';

export function ChooseFile({ onFile, error }: { onFile: (file: File) => void; error: unknown }) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) onFile(file);
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsOver(over);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped here can also be chosen by the button
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        take(event.dataTransfer.files);
      }}
    >
      <IconFileUpload size={34} stroke={1.3} aria-hidden="true" />
      <p>
        <strong>Drop a file here</strong>, or choose one.
      </p>
      <p className="soft small">CSV, NDJSON or Shopify’s product export; plain or gzip.</p>
      <FormProblem error={error} />
      <input
        ref={input}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label="Product file"
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,.gz"
        onChange={(event) => take(event.currentTarget.files)}
      />
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
    </div>
  );
}
