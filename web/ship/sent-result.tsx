import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import type { CheckedLine } from './check-lines.ts';
import { Figures } from './figures.tsx';
import type { SentLine } from './send-lines.ts';
import styles from './ship.module.css';

const MAX_SHOWN = 200;

export function SendProgress({ done, total }: { done: number; total: number }) {
  const { whole } = useFormats();
  return (
    <Panel title="Shipping…">
      <div className={styles.progress} role="status">
        <progress max={total} value={done} aria-label="Shipped lines" />
        <span className="muted small numbers">
          {whole(done)} of {whole(total)} lines
        </span>
      </div>
    </Panel>
  );
}

interface Props {
  sent: readonly SentLine[];
  /** The lines that are not shipped: with problems, failed, or not sent. */
  remaining: readonly CheckedLine[];
  /** Why lines were not sent. */
  error: unknown;
  onRestart: (remaining: readonly CheckedLine[]) => void;
}

/** What became of the lines. Those that were not shipped can be corrected and sent again. */
export function SentResult({ sent, remaining, error, onRestart }: Props) {
  const { whole, count } = useFormats();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const shipped = sent.filter(({ isChange }) => isChange).length;
  const unchanged = sent.filter(({ problem, isChange }) => problem === undefined && !isChange).length;
  const problems = new Map(sent.map(({ line, problem }) => [line.number, problem]));
  return (
    <Panel title={remaining.length === 0 ? 'All lines shipped' : 'Result'} ref={panel} flush>
      <div className={styles.summary}>
        <FormError error={error} />
        <Figures
          figures={[
            ['Shipped', shipped],
            ...(unchanged > 0 ? [['Already shipped', unchanged] as const] : []),
          ]}
          bad={[['Not shipped', remaining.length]]}
        />
        <div className={styles.buttons}>
          {remaining.length > 0 ? (
            <Button onClick={() => onRestart(remaining)}>Correct {count(remaining.length, 'line')}</Button>
          ) : (
            <Button variant="default" onClick={() => onRestart([])}>
              Ship more orders
            </Button>
          )}
          <LinkButton to="/orders" variant="default">
            Go to orders
          </LinkButton>
        </div>
      </div>
      {remaining.length > 0 && (
        <Table
          rows={remaining.slice(0, MAX_SHOWN)}
          keyOf={({ number }) => number}
          columns={[
            { label: 'Order', kind: 'lead', cell: ({ fields }) => <strong>{fields.order_id ?? '–'}</strong> },
            {
              label: 'Tracking number',
              className: 'mono',
              cell: ({ fields }) => fields.tracking_number ?? '–',
            },
            {
              label: 'Reason',
              cell: ({ number, problem }) => problem ?? problems.get(number) ?? 'The line wasn’t sent.',
            },
            { label: 'Line', kind: 'number', cell: ({ number }) => whole(number) },
          ]}
        />
      )}
      {remaining.length > MAX_SHOWN && (
        <p className={`muted small ${styles.more}`}>
          {count(remaining.length - MAX_SHOWN, 'more line')} not shown.
        </p>
      )}
    </Panel>
  );
}
