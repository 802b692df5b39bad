import { useQuery } from '@tanstack/react-query';
import { StatusTabs, tabsOf } from '../ui/status-tabs.tsx';
import { type Listing, statusDescriptions, statusLabels } from './listing.ts';
import styles from './products.module.css';
import { countsQuery } from './queries.ts';

/** The statuses, with the numbers of products that match the other filters, and what the chosen one means. */
export function ProductTabs({ listing }: { listing: Listing }) {
  const { data } = useQuery(countsQuery(listing));
  const description = Object.entries(statusDescriptions).find(([status]) => status === listing.status)?.[1];
  return (
    <>
      <StatusTabs to="/products" search={listing} tabs={tabsOf(statusLabels, data)} />
      {description !== undefined && <p className={`small muted ${styles.meaning}`}>{description}</p>}
    </>
  );
}
