import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { inWords } from '../../orders/order.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import styles from '../records.module.css';
import type { Order } from './queries.ts';

interface Props {
  merchant: string;
  order: Order;
  /** Undefined until it is known. */
  currency: string | undefined;
  test: boolean;
}

/** What was sold, when, and for how much. */
export function OrderFacts({ merchant, order, currency, test }: Props) {
  const { time, count } = useFormats();
  const formatsOf = useCurrencyFormats();
  const money = (amount: number): string =>
    currency === undefined ? String(amount) : formatsOf(currency).money(amount);
  const timeOf = (at: string | null): string | null => (at === null ? null : time(at));
  const mono = (text: string | null): ReactNode => text && <span className="mono">{text}</span>;
  const facts: [label: string, value: ReactNode][] = [
    [
      'Product',
      <Link
        key="product"
        to="/products/$merchant/$product"
        params={{ merchant, product: order.product_identifier }}
        search={test ? { test: 'true' } : {}}
      >
        {order.product_name}
      </Link>,
    ],
    ['SKU', mono(order.variation_identifier ?? order.product_identifier)],
    ['Quantity', count(order.product_quantity, 'unit')],
    ['Merchant’s ID', mono(order.merchant_order_id)],
    ['Ordered', time(order.created_at)],
    ['Paid', timeOf(order.paid_at)],
    ['Acknowledged', timeOf(order.acknowledged_at)],
    ['Due', timeOf(order.fulfillment_due_date)],
    ['Refunded', timeOf(order.refunded_at)],
    ['Canceled', timeOf(order.canceled_at)],
    ['Updated', time(order.updated_at)],
    ['Merchant’s note', order.annotation],
    ['Placement', mono(order.placement_id)],
  ];
  const amounts: [label: string, amount: number][] = [
    ...Object.entries(order.available_refunds).map(([name, amount]): [string, number] => [
      inWords(name),
      amount,
    ]),
    ...(order.refund_amount > 0 ? [['Refunded', -order.refund_amount] as [string, number]] : []),
    ...order.seller_fees.map(({ type, amount }): [string, number] => [`Fee: ${inWords(type)}`, -amount]),
    ...(order.disbursement_amount === null
      ? []
      : [['Payout', order.disbursement_amount] as [string, number]]),
  ];
  return (
    <>
      <Panel title="Order">
        <dl className="facts">
          {facts.map(
            ([label, value]) =>
              value !== null && (
                <Fact key={label} label={label}>
                  {value}
                </Fact>
              ),
          )}
        </dl>
        <details className={styles.json}>
          <summary className="small">JSON</summary>
          <CodeBlock text={JSON.stringify(order, null, 2)} label="order as JSON" tall />
        </details>
      </Panel>
      {amounts.length > 0 && (
        <Panel title="Amounts">
          <dl className={styles.amounts}>
            {amounts.map(([label, amount]) => (
              <Fact key={label} label={label}>
                <span className="numbers">{money(amount)}</span>
              </Fact>
            ))}
          </dl>
        </Panel>
      )}
    </>
  );
}
