import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { ProductImage } from '../../products/product-image.tsx';
import { StatusChip } from '../../products/status-chip.tsx';
import { EmptyValue } from '../../ui/empty-value.tsx';
import { Table } from '../../ui/table.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import styles from '../records.module.css';
import type { ListedProduct } from './queries.ts';

interface Props {
  products: readonly ListedProduct[];
  isTest: boolean;
}

export function ProductsTable({ products, isTest }: Props) {
  const formatsOf = useCurrencyFormats();
  return (
    <Table
      rows={products}
      keyOf={({ merchant, internal_id: id }) => `${merchant.external_id} ${id}`}
      columns={[
        {
          label: 'Product',
          kind: 'lead',
          cell: ({ merchant, identifier, title, primary_image: image }) => (
            <span className={styles.record}>
              <ProductImage url={image} />
              <span className={styles.names}>
                <Link
                  to="/products/$merchant/$product"
                  params={{ merchant: merchant.external_id, product: identifier }}
                  search={isTest ? { test: 'true' } : {}}
                  className={styles.name ?? ''}
                >
                  {title ?? identifier}
                </Link>
                <span className="mono muted">{identifier}</span>
              </span>
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
        { label: 'Status', cell: ({ status }) => <StatusChip status={status} /> },
        {
          label: 'Price',
          kind: 'number',
          cell: ({ buy_now_price: now, retail_price: retail, currency }) => {
            const price = now ?? retail;
            return price === null ? <EmptyValue /> : formatsOf(currency).money(price);
          },
        },
        {
          label: 'Stock',
          kind: 'number',
          cell: ({ status, available_quantity: stock, variation_count: variations, currency }) => {
            const { whole, count } = formatsOf(currency);
            if (status === 'enabled' && variations === 0) return <span className="muted">Not tracked</span>;
            return (
              <span className="stack">
                {whole(stock ?? 0)}
                {variations > 0 && <span className="muted small">{count(variations, 'variation')}</span>}
              </span>
            );
          },
        },
        {
          label: 'Updated',
          className: 'nowrap',
          cell: ({ updated_at: at }) => (at === null ? <EmptyValue /> : <Ago at={at} />),
        },
      ]}
    />
  );
}
