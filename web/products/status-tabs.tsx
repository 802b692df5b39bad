import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProductStatus } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { type Listing, statusLabels } from './listing.ts';
import styles from './products.module.css';
import { countsQuery } from './queries.ts';

const tabs = [undefined, ...Object.keys(statusLabels)] as (undefined | ProductStatus)[];

export function StatusTabs({ listing }: { listing: Listing }) {
  const { data } = useQuery(countsQuery);
  const { whole } = useFormats();
  const { page: _, status: current, ...rest } = listing;
  return (
    <nav aria-label="Status" className={styles.tabs}>
      {tabs.map((status) => {
        const target: Listing = status === undefined ? rest : { ...rest, status };
        const count = status === undefined ? data?.all : data?.by_status[status];
        return (
          <Link
            key={status ?? 'all'}
            to="/products"
            search={target}
            className={styles.tab ?? ''}
            activeOptions={{ exact: true }}
            aria-current={status === current ? 'page' : undefined}
            resetScroll={false}
          >
            {status === undefined ? 'All' : statusLabels[status]}
            <span className={styles.count}>{count === undefined ? '\u2007' : whole(count)}</span>
          </Link>
        );
      })}
    </nav>
  );
}
