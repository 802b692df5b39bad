import { useFormats } from '../format/use-formats.ts';
import { inWords, type Order, skuOf, unitsLeft } from '../orders/order.ts';
import { addressLines, type RevealedCustomer } from '../orders/reveal.ts';
import { useSession } from '../session/session.ts';
import styles from './slips.module.css';

/** A sheet of paper for the package: where it goes, and what is in it. */
export function PackingSlip({ order, customer }: { order: Order; customer: RevealedCustomer | undefined }) {
  const { day, whole } = useFormats();
  const { name } = useSession().merchant;
  const { order_id: id, merchant_order_id: own, related_order_ids: related } = order;
  const units = order.status === 'shipped' ? order.product_quantity : unitsLeft(order);
  const isPart = units < order.product_quantity;
  return (
    <article className={styles.sheet} aria-label={`Packing slip of order ${id}`}>
      <header>
        <strong>{name}</strong>
        <span>Packing slip</span>
      </header>
      <div className={styles.head}>
        <section aria-label="Ship to">
          <h2>Ship to</h2>
          <address>
            {customer === undefined ? (
              <span>No address is known.</span>
            ) : (
              addressLines(order, customer).map((line) => <span key={line}>{line}</span>)
            )}
          </address>
        </section>
        <dl>
          <dt>Order</dt>
          <dd>{id}</dd>
          {own !== null && (
            <>
              <dt>Reference</dt>
              <dd>{own}</dd>
            </>
          )}
          <dt>Ordered</dt>
          <dd>{day(order.created_at)}</dd>
          {order.service_type !== null && (
            <>
              <dt>Service</dt>
              <dd>{order.service_type}</dd>
            </>
          )}
        </dl>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">SKU</th>
            <th scope="col">Units</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{order.product_name}</td>
            <td>{skuOf(order)}</td>
            <td>{whole(units)}</td>
          </tr>
          {order.upsells.map(({ type_description: type, description }) => (
            <tr key={`${type} ${description}`}>
              <td>
                {inWords(type)}
                {description !== null && `: ${description}`}
              </td>
              <td />
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      {isPart && (
        <p>
          {whole(units)} of {whole(order.product_quantity)} units. The others are in another package.
        </p>
      )}
      {related.length > 0 && <p>Belongs with {related.map((each) => `order ${each}`).join(', ')}.</p>}
    </article>
  );
}
