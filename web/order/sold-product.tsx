import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { inWords, type Order, skuOf } from '../orders/order.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './order.module.css';

/** What the customer bought, as it was sold. */
export function SoldProduct({ order }: { order: Order }) {
  const { count, money } = useFormats();
  const { upsells, related_order_ids: related } = order;
  return (
    <Panel title="Item">
      <div className={styles.item}>
        <div className={styles.itemNames}>
          <Link
            to="/products/$product"
            params={{ product: String(order.product_internal_id) }}
            className={styles.itemName ?? ''}
          >
            {order.product_name}
          </Link>
          <span className="mono muted">{skuOf(order)}</span>
        </div>
        <strong className="numbers">{count(order.product_quantity, 'unit')}</strong>
      </div>
      {upsells.length > 0 && (
        <ul className={styles.upsells}>
          {upsells.map(({ type_description: type, amount, description }) => (
            <li key={`${type} ${description}`}>
              <span>
                {inWords(type)}
                {description !== null && <span className="muted">: {description}</span>}
              </span>
              <span className="numbers">{money(amount)}</span>
            </li>
          ))}
        </ul>
      )}
      {related.length > 0 && (
        <p className={`small ${styles.related}`}>
          Bought together with{' '}
          {related.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to="/orders/$order" params={{ order: String(id) }}>
                order {id}
              </Link>
            </span>
          ))}
          .
        </p>
      )}
    </Panel>
  );
}
