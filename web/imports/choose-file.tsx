import { Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { FormError } from '../ui/form-error.tsx';
import { IconFileUpload } from '../ui/icons.ts';
import styles from './imports.module.css';

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
    // biome-ignore lint/a11y/noStaticElementInteractions: the button is the keyboard alternative to dropping a file
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
      <IconFileUpload size={34} stroke={1.3} />
      <p>
        <strong>Drop a file here, or choose one</strong>
      </p>
      <p className="muted small">Excel (.xlsx), CSV, NDJSON, or Shopify product export</p>
      <FormError error={error} />
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Product file"
        accept=".xlsx,.xlsm,.csv,.tsv,.txt,.ndjson,.jsonl,.json,.gz"
        onChange={(event) => take(event.currentTarget.files)}
      />
      <Button onClick={() => input.current?.click()}>Choose file</Button>
    </div>
  );
}
