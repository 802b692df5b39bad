import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProductStatus } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import tabsStyles from '../ui/tabs.module.css';
import { type Listing, statusDescriptions, statusLabels } from './listing.ts';
import styles from './products.module.css';
import { countsQuery } from './queries.ts';

const tabs = [undefined, ...Object.keys(statusLabels)] as (undefined | ProductStatus)[];

/** The statuses, each with the number of its products that match the other filters. */
export function StatusTabs({ listing }: { listing: Listing }) {
  const { data } = useQuery(countsQuery(listing));
  const { whole } = useFormats();
  const { page: _, status: current, ...rest } = listing;
  const description = Object.entries(statusDescriptions).find(([status]) => status === current)?.[1];
  return (
    <>
      <nav aria-label="Status" className={tabsStyles.tabs}>
        {tabs.map((status) => {
          const target: Listing = status === undefined ? rest : { ...rest, status };
          const count = status === undefined ? data?.all : data?.by_status[status];
          return (
            <Link
              key={status ?? 'all'}
              to="/products"
              search={target}
              className={tabsStyles.tab ?? ''}
              activeOptions={{ exact: true }}
              aria-current={status === current ? 'page' : undefined}
              resetScroll={false}
            >
              {status === undefined ? 'All' : statusLabels[status]}
              <span className={tabsStyles.count}>{count === undefined ? '\u2007' : whole(count)}</span>
            </Link>
          );
        })}
      </nav>
      {description !== undefined && <p className={`small muted ${styles.meaning}`}>{description}</p>}
    </>
  );
}
