import type { ReactNode } from 'react';
import { useFormats } from '../format/use-formats.ts';
import type { Order } from '../orders/order.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './order.module.css';

/** The IDs and times of an order, and its record as JSON. */
export function OrderDetails({ order }: { order: Order }) {
  const { time } = useFormats();
  const timeOf = (at: string | null): string | null => (at === null ? null : time(at));
  const id = (text: string | null): ReactNode => text && <span className="mono">{text}</span>;
  const details: [label: string, value: ReactNode][] = [
    ['Marketplace ID', id(order.external_id)],
    ['Your ID', id(order.merchant_order_id)],
    ['Customer ID', id(order.customer_id)],
    ['Ordered', time(order.created_at)],
    ['Paid', timeOf(order.paid_at)],
    ['Due', timeOf(order.fulfillment_due_date)],
    ['Service', order.service_type],
    ['Shipped by', order.fulfillment_partner],
    ['Placement', id(order.placement_id)],
    ['Updated', time(order.updated_at)],
  ];
  return (
    <Panel title="Details">
      <dl className="facts">
        {details.map(
          ([label, value]) =>
            value !== null && (
              <Detail key={label} label={label}>
                {value}
              </Detail>
            ),
        )}
      </dl>
      <details className={styles.json}>
        <summary className="small">JSON</summary>
        <CodeBlock text={JSON.stringify(order, null, 2)} label="order as JSON" tall />
      </details>
    </Panel>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
