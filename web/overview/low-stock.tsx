import { Link } from '@tanstack/react-router';
import type { LowProduct } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCircleCheck } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './overview.module.css';

/** Products with low stock, lowest first. */
export function LowStock({ products }: { products: LowProduct[] }) {
  const { whole } = useFormats();
  return (
    <Panel
      title="Low stock"
      flush
      aside={
        products.length > 0 && (
          <Link to="/products" search={{ status: 'low_inventory' }} className="small">
            View all
          </Link>
        )
      }
    >
      {products.length === 0 ? (
        <EmptyState
          Icon={IconCircleCheck}
          title="Stock looks good"
          description="Products with low stock appear here."
        />
      ) : (
        <ul className={styles.rows}>
          {products.map((product) => (
            <li key={product.internal_id}>
              <Link
                to="/products/$product"
                params={{ product: String(product.internal_id) }}
                className={styles.title ?? ''}
              >
                {product.title ?? product.identifier}
              </Link>
              {product.available_quantity !== null && (
                <span className={`numbers muted small ${styles.quantity}`}>
                  {whole(product.available_quantity)} left{coverOf(product.days_of_cover)}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Says how long the stock lasts at the rate of the last 30 days. */
function coverOf(days: number | null): string {
  if (days === null) return '';
  const time = days === 0 ? 'less than a day' : days === 1 ? 'about 1 day' : `about ${days} days`;
  return ` · ${time} of stock`;
}
