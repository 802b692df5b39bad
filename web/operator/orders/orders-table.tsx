import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { statusTexts } from '../../orders/order.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyValue } from '../../ui/empty-value.tsx';
import { Table } from '../../ui/table.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import styles from '../records.module.css';
import type { ListedOrder } from './queries.ts';

interface Props {
  orders: readonly ListedOrder[];
  isTest: boolean;
}

export function OrdersTable({ orders, isTest }: Props) {
  const formatsOf = useCurrencyFormats();
  return (
    <Table
      rows={orders}
      keyOf={({ merchant, order_id: id }) => `${merchant.external_id} ${id}`}
      columns={[
        {
          label: 'Order',
          kind: 'lead',
          cell: ({ merchant, external_id: order, order_id: id }) => (
            <span className={styles.names}>
              <Link
                to="/orders/$merchant/$order"
                params={{ merchant: merchant.external_id, order }}
                search={isTest ? { test: 'true' } : {}}
                className={styles.name ?? ''}
              >
                {order}
              </Link>
              <span className="muted small">No. {id}</span>
            </span>
          ),
        },
        {
          label: 'Merchant',
          cell: ({ merchant }) => (
            <Link to="/merchants/$merchant" params={{ merchant: merchant.external_id }}>
              {merchant.name}
            </Link>
          ),
        },
        {
          label: 'Status',
          cell: ({ status, hold_reason: reason }) => (
            <span className="stack">
              <Chip tone={statusTexts[status].tone}>{statusTexts[status].label}</Chip>
              {reason !== null && <span className="muted small">{reason}</span>}
            </span>
          ),
        },
        {
          label: 'Item',
          cell: ({
            product_name: name,
            product_identifier: product,
            variation_identifier: variation,
            product_quantity: units,
            currency,
          }) => (
            <span className={styles.names}>
              <span>
                {units > 1 && `${formatsOf(currency).whole(units)} × `}
                {name}
              </span>
              <span className="mono muted">{variation ?? product}</span>
            </span>
          ),
        },
        {
          label: 'Payout',
          kind: 'number',
          cell: ({ disbursement_amount: amount, currency }) =>
            amount === null ? <EmptyValue /> : formatsOf(currency).money(amount),
        },
        { label: 'Ordered', className: 'nowrap', cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  );
}
