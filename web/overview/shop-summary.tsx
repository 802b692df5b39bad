import { Link } from '@tanstack/react-router';
import type { Overview } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './overview.module.css';

/** The number of products, campaigns and keys, linked to their pages. */
export function ShopSummary({ overview: { products, keys, campaigns } }: { overview: Overview }) {
  const { whole, ago } = useFormats();
  return (
    <Panel title="Your shop">
      <dl className={styles.summary}>
        <dt>
          <Link to="/products">Products</Link>
        </dt>
        <dd>{whole(products.all)}</dd>
        <dt>
          <Link to="/products" search={{ status: 'sold_out' }}>
            Sold out
          </Link>
        </dt>
        <dd>{whole(products.by_status.sold_out)}</dd>
        <dt>
          <Link to="/campaigns">Campaigns</Link>
        </dt>
        <dd>{whole(campaigns)}</dd>
        <dt>
          <Link to="/keys">Active API keys</Link>
        </dt>
        <dd>{whole(keys.active)}</dd>
        <dt>API last used</dt>
        <dd>{keys.last_used_at === null ? 'Never' : ago(keys.last_used_at)}</dd>
      </dl>
    </Panel>
  );
}
