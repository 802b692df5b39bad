import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { LowProduct } from '../../src/console/console-api.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { useFormats } from '../format/use-formats.ts';
import { StatusChip } from '../products/status-chip.tsx';
import { Panel } from '../shell/panel.tsx';
import styles from './overview.module.css';

export function LowInventory({ products }: { products: LowProduct[] }) {
  const { whole } = useFormats();
  return (
    <Panel
      title="Running out"
      flush
      aside={
        products.length > 0 && (
          <Link to="/products" search={{ status: 'low_inventory' }} className="small">
            All of low inventory
          </Link>
        )
      }
    >
      {products.length === 0 ? (
        <EmptyState
          Icon={IconCircleCheck}
          title="Nothing is running out"
          words="Products with little or nothing left in stock are listed here."
        />
      ) : (
        <ul className={styles.rows}>
          {products.map((product) => (
            <li key={product.internal_id}>
              <Link
                to="/products"
                search={{ status: product.status, product: String(product.internal_id) }}
                className={styles.title ?? ''}
              >
                {product.title ?? product.identifier}
              </Link>
              <span className={styles.left}>
                {product.available_quantity !== null && (
                  <span className="numbers soft small">{whole(product.available_quantity)} left</span>
                )}
                <StatusChip status={product.status} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
