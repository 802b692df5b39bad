import { Button, Textarea } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { FormError } from '../ui/form-error.tsx';
import { IconUpload } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { parseLines } from './parse-lines.ts';
import styles from './ship.module.css';

const MAX_LINES = 10_000;
const MAX_FILE_BYTES = 5_000_000;
const EXAMPLE =
  'order_id, carrier, tracking_number\n4711, UPS, 1Z999AA10123456784\n4712, DHL Express, 1234567890';

interface Props {
  text: string;
  onChange: (text: string) => void;
  isPending: boolean;
  error: unknown;
  onPreview: () => void;
}

/** Where lines are pasted or typed, or read from a file. */
export function EnterLines({ text, onChange, isPending, error, onPreview }: Props) {
  const { count, whole, bytes } = useFormats();
  const [fileError, setFileError] = useState<Error | null>(null);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const lines = parseLines(text).lines.length;
  const readFile = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    setFileError(null);
    if (file.size > MAX_FILE_BYTES)
      return setFileError(new Error(`The file is larger than ${bytes(MAX_FILE_BYTES)}.`));
    const content = await file.text();
    if (content.startsWith('PK'))
      return setFileError(
        new Error(
          'This is an Excel workbook. Save the sheet as CSV (UTF-8), or copy its cells and paste them.',
        ),
      );
    onChange(content);
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsOver(over);
  };
  return (
    <Panel>
      <form
        className={styles.enter}
        data-over={isOver || undefined}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          void readFile(event.dataTransfer.files.item(0));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          onPreview();
        }}
      >
        <FormError error={fileError ?? error} />
        <Textarea
          label="Orders to ship"
          description="One order in each line: its number, the carrier, and the tracking number, between tabs, commas, or semicolons. Paste from Excel or Google Sheets, or drop a CSV file here."
          placeholder={EXAMPLE}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: styles.lines ?? '' }}
          error={lines > MAX_LINES && `Ship at most ${whole(MAX_LINES)} lines at a time.`}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <details>
          <summary className="small">More columns</summary>
          <p className="muted small">
            If the first line has the names of the columns, they can be in any order. Optional columns:{' '}
            <code>quantity</code> for a part of the units, <code>service_type</code>,{' '}
            <code>carrier_name</code> if the carrier is “other”, and <code>tracking_url</code>.
          </p>
        </details>
        <div className={styles.buttons}>
          <Button type="submit" loading={isPending} disabled={lines === 0 || lines > MAX_LINES}>
            {lines === 0 ? 'Preview' : `Preview ${count(lines, 'line')}`}
          </Button>
          <input
            ref={input}
            type="file"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="CSV file"
            accept=".csv,.tsv,.txt"
            onChange={(event) => {
              void readFile(event.currentTarget.files?.item(0));
              // The same file can be chosen again after it was corrected.
              event.currentTarget.value = '';
            }}
          />
          <Button
            variant="default"
            leftSection={<IconUpload size={17} />}
            onClick={() => input.current?.click()}
          >
            Choose file
          </Button>
        </div>
      </form>
    </Panel>
  );
}
