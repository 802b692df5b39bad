import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAllows } from '../session/role.ts';
import { IconTruckDelivery } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { StatusTabs } from '../ui/status-tabs.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { lastListing } from './last-listing.ts';
import {
  changeListing,
  DEFAULT_PAGE_SIZE,
  isOverdueOnly,
  MAX_QUERY_LENGTH,
  type OrderListing,
  OVERDUE,
  orderTabs,
  pageSizes,
  sortOptions,
  tabOf,
  withQuery,
} from './listing.ts';
import { FoundOrders, OverdueOrders, PagedOrders } from './order-list.tsx';
import styles from './orders.module.css';
import { countsQuery, searchQuery } from './queries.ts';

const route = getRouteApi('/signed-in/orders');

export function Page() {
  const listing = route.useSearch();
  const canEdit = useAllows('editor');
  const isSearch = listing.query !== undefined;
  useEffect(() => lastListing.set(listing), [listing]);
  // Each list has a selection of its own.
  const { page: _, ...list } = listing;
  const key = JSON.stringify(list);
  return (
    <>
      <PageHeader
        actions={
          canEdit && (
            <LinkButton to="/orders/ship" variant="default" leftSection={<IconTruckDelivery size={17} />}>
              Ship in bulk
            </LinkButton>
          )
        }
      />
      <RoleNotice least="editor" action="ship and refund orders" />
      <OrderTabs listing={listing} />
      <Controls listing={listing} />
      {isSearch ? (
        <FoundOrders key={key} listing={listing} />
      ) : isOverdueOnly(listing) ? (
        <OverdueOrders key={key} listing={listing} />
      ) : (
        <PagedOrders key={key} listing={listing} />
      )}
    </>
  );
}

/** The statuses, with the numbers of orders; in a search, of those that match. */
function OrderTabs({ listing }: { listing: OrderListing }) {
  const isSearch = listing.query !== undefined;
  const all = useQuery({ ...countsQuery, enabled: !isSearch }).data;
  const found = useInfiniteQuery({ ...searchQuery(listing), enabled: isSearch }).data?.pages[0]?.counts;
  const counts = isSearch ? found : all;
  const shown = orderTabs.filter(({ name }) => name !== OVERDUE || !isSearch);
  const tabs = shown.map(({ name, label, status }) => ({
    status: name,
    label,
    count: name === OVERDUE ? all?.overdue : status === undefined ? counts?.all : counts?.by_status[status],
  }));
  return <StatusTabs to="/orders" search={listing} tabs={tabs} />;
}

/** Search, sort order and page size. The URL has all choices. */
function Controls({ listing }: { listing: OrderListing }) {
  const navigate = useNavigate();
  const change = (changed: (current: OrderListing) => OrderListing): void =>
    void navigate({ to: '/orders', search: changed, replace: true, resetScroll: false });
  const seesCustomers = useAllows('editor');
  const { sort = tabOf(listing).sort, per_page: perPage = String(DEFAULT_PAGE_SIZE) } = listing;
  return (
    <div className={styles.controls}>
      <SearchField
        label="Search orders"
        placeholder={`Order,${seesCustomers ? ' customer,' : ''} SKU, or tracking number`}
        query={listing.query ?? ''}
        maxLength={MAX_QUERY_LENGTH}
        onSearch={(query) => change((current) => withQuery(current, query))}
      />
      {listing.query === undefined && !isOverdueOnly(listing) && (
        <>
          <NativeSelect
            aria-label="Sort"
            value={sort}
            data={withCurrent(sortOptions, sort)}
            onChange={({ currentTarget: { value } }) =>
              change((current) => changeListing(current, { sort: value }))
            }
          />
          <NativeSelect
            aria-label="Per page"
            value={perPage}
            data={withCurrent(
              pageSizes.map((size) => ({ value: String(size), label: `${size} per page` })),
              perPage,
            )}
            onChange={({ currentTarget: { value } }) =>
              change((current) => changeListing(current, { per_page: value }))
            }
          />
        </>
      )}
    </div>
  );
}
