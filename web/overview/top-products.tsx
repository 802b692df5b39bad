import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { topProductsQuery } from '../sales/queries.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import styles from './top-products.module.css';

/** The products with the highest revenue in the last 30 days: the first ones of the list of sales. */
export function TopProducts({ hasSales }: { hasSales: boolean }) {
  const list = useQuery({ ...topProductsQuery, enabled: hasSales });
  const { money, count } = useFormats();
  const sold = (list.data ?? []).filter(({ revenue }) => revenue > 0);
  if (!hasSales || (list.isSuccess && sold.length === 0)) return null;
  const most = sold[0]?.revenue ?? 1;
  return (
    <Panel
      title="Top products"
      flush
      aside={
        <Link to="/sales" className="small">
          All sales
        </Link>
      }
    >
      <p className={`muted small ${styles.period}`}>By revenue of the last 30 days</p>
      <Loaded query={list} skeleton={5}>
        {() => (
          <ol className={styles.rows}>
            {sold.map(({ identifier, revenue, orders, product }) => (
              <li key={identifier}>
                {product === null ? (
                  <span className={styles.title}>{identifier}</span>
                ) : (
                  <Link
                    to="/products/$product"
                    params={{ product: String(product.internal_id) }}
                    className={styles.title ?? ''}
                  >
                    {product.title ?? identifier}
                  </Link>
                )}
                <span className={styles.revenue}>{money(revenue)}</span>
                <ShareBar share={revenue / most} />
                <span className={styles.sold}>{count(orders, 'sale')}</span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  );
}
