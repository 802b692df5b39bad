import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { type CheckedLine, isShippedWith } from './check-lines.ts';
import { Figures } from './figures.tsx';
import styles from './ship.module.css';

const MAX_SHOWN = 200;

interface Props {
  lines: readonly CheckedLine[];
  /** The number of lines without a problem. */
  ready: number;
  onBack: () => void;
  onShip: () => void;
}

/** What each line does, and what is wrong with it. Lines with problems come first. */
export function PreviewLines({ lines, ready, onBack, onShip }: Props) {
  const { count, whole } = useFormats();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const wrong = lines.filter(({ problem }) => problem !== undefined);
  const sorted = [...wrong, ...lines.filter(({ problem }) => problem === undefined)];
  const orders = new Set(lines.filter(({ problem }) => problem === undefined).map(({ order }) => order)).size;
  return (
    <Panel title="Preview" ref={panel} flush>
      <div className={styles.summary}>
        <Figures figures={[['Ready to ship', ready]]} bad={[['With problems', wrong.length]]} />
        <div className={styles.buttons}>
          <Button disabled={ready === 0} onClick={onShip}>
            {ready === 0 ? 'Nothing to ship' : `Ship ${count(orders, 'order')}`}
          </Button>
          <Button variant="default" onClick={onBack}>
            {wrong.length > 0 ? 'Correct lines' : 'Back'}
          </Button>
        </div>
        {wrong.length > 0 && ready > 0 && (
          <p className="muted small">Lines with problems aren’t sent. You can correct them afterwards.</p>
        )}
      </div>
      <Table
        rows={sorted.slice(0, MAX_SHOWN)}
        keyOf={({ number }) => number}
        columns={[
          {
            label: 'Order',
            kind: 'lead',
            cell: ({ order, fields }) => (
              <span className="stack">
                <strong>{fields.order_id ?? '–'}</strong>
                {order !== undefined && <span className="muted small">{order.product_name}</span>}
              </span>
            ),
          },
          { label: 'Carrier', cell: ({ fields }) => fields.carrier_name ?? fields.carrier ?? '–' },
          {
            label: 'Tracking number',
            className: 'mono',
            cell: ({ fields }) => fields.tracking_number ?? '–',
          },
          { label: 'Result', cell: (line) => <LineResult line={line} /> },
          { label: 'Line', kind: 'number', cell: ({ number }) => whole(number) },
        ]}
      />
      {sorted.length > MAX_SHOWN && (
        <p className={`muted small ${styles.more}`}>
          {count(sorted.length - MAX_SHOWN, 'more line')} not shown.
        </p>
      )}
    </Panel>
  );
}

function LineResult({ line: { order, problem, fields } }: { line: CheckedLine }) {
  const { count } = useFormats();
  if (problem !== undefined)
    return (
      <span className={styles.problem}>
        <IconAlertTriangle size={15} /> {problem}
      </span>
    );
  if (order !== undefined && isShippedWith(order, fields.tracking_number ?? ''))
    return <span className="muted">Already shipped with this number</span>;
  return fields.quantity === undefined
    ? 'Ships all that is left'
    : `Ships ${count(Number(fields.quantity), 'unit')}`;
}
