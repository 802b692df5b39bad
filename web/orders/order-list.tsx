import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconCircleCheck, IconFilterOff, IconShoppingBag } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { ALL, isByDueDate, type OrderListing, tabOf } from './listing.ts';
import type { Order } from './order.ts';
import styles from './orders.module.css';
import { OrdersTable } from './orders-table.tsx';
import { countsQuery, overdueQuery, pageQuery, searchQuery } from './queries.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ShipOrder } from './ship-order.tsx';

/** A page of orders. */
export function PagedOrders({ listing }: { listing: OrderListing }) {
  const list = useQuery(pageQuery(listing));
  // The end of the merchant's day divides the orders: without it, they would move when it arrives.
  const isDivided = !useQuery(countsQuery).isPending || !isByDueDate(listing);
  const { data } = list;
  return (
    <>
      <ListPanel
        listing={listing}
        list={list}
        orders={isDivided ? data?.results : undefined}
        total={data?.total_entries ?? 0}
        none={<NoOrders listing={listing} total={data?.total_entries ?? 0} />}
      />
      {data !== undefined && <Pager to="/orders" search={listing} shown={data} items="orders" />}
    </>
  );
}

/** The orders to ship that are late. */
export function OverdueOrders({ listing }: { listing: OrderListing }) {
  const list = useInfiniteQuery(overdueQuery);
  const total = useQuery(countsQuery).data?.overdue ?? 0;
  return (
    <ListPanel
      listing={listing}
      list={list}
      orders={list.data?.pages.flatMap(({ orders }) => orders)}
      total={total}
      none={
        <EmptyState
          Icon={IconCircleCheck}
          title="No order is late"
          description="Orders to ship appear here when their due date has passed."
        >
          <LinkButton to="/orders" activeOptions={{ exact: true }} variant="default">
            Show orders to ship
          </LinkButton>
        </EmptyState>
      }
    >
      <MoreButton list={list} label="Show more" />
    </ListPanel>
  );
}

/** The orders that match the query, newest first. */
export function FoundOrders({ listing }: { listing: OrderListing }) {
  const list = useInfiniteQuery(searchQuery(listing));
  const first = list.data?.pages[0];
  const { status } = tabOf(listing);
  const { all = 0, by_status: byStatus = {} } = first?.counts ?? {};
  return (
    <>
      {first?.complete === false && (
        <div className={styles.notice}>
          <Notice>Many orders match, so the oldest are left out. Enter more of the name or number.</Notice>
        </div>
      )}
      <ListPanel
        listing={listing}
        list={list}
        orders={list.data?.pages.flatMap(({ orders }) => orders)}
        total={status === undefined ? all : ((byStatus as Record<string, number>)[status] ?? 0)}
        none={<NoMatches hasOthers={all > 0} listing={listing} />}
      >
        <MoreButton list={list} label="Show more" />
      </ListPanel>
    </>
  );
}

interface ListPanelProps {
  listing: OrderListing;
  list: { error: Error | null; isPlaceholderData: boolean; refetch: () => Promise<unknown> };
  orders: readonly Order[] | undefined;
  total: number;
  /** Shown if there are no orders. */
  none: ReactNode;
  children?: ReactNode;
}

function ListPanel({ listing, list, orders, total, none, children }: ListPanelProps) {
  const { error, isPlaceholderData, refetch } = list;
  const { count } = useFormats();
  const canEdit = useAllows('editor');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [shipping, setShipping] = useState<Order>();
  const select = (ids: readonly number[], isSelected: boolean): void =>
    setSelected((before) => (isSelected ? before.union(new Set(ids)) : before.difference(new Set(ids))));
  if (error !== null && (orders === undefined || isPlaceholderData))
    return (
      <Panel>
        <ErrorState error={error} retry={() => void refetch()} />
      </Panel>
    );
  if (orders === undefined)
    return (
      <Panel flush>
        <TableSkeleton rows={12} height="45px" />
      </Panel>
    );
  const isSearch = listing.query !== undefined;
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? styles.stale : undefined}>
      <Panel flush>
        {orders.length === 0 ? (
          none
        ) : (
          <>
            {canEdit ? (
              <SelectionBar
                orders={orders}
                total={total}
                selected={selected}
                onSelect={select}
                onClear={() => setSelected(new Set())}
              />
            ) : (
              <p className={`muted small ${styles.bar}`} role="status">
                {count(total, 'order')}
              </p>
            )}
            <OrdersTable
              orders={orders}
              isToShip={tabOf(listing).status === 'paid'}
              isByDueDate={!isSearch && isByDueDate(listing)}
              selected={selected}
              onSelect={select}
              onShip={setShipping}
            />
            {children}
          </>
        )}
      </Panel>
      {shipping !== undefined && <ShipOrder order={shipping} onClose={() => setShipping(undefined)} />}
    </div>
  );
}

function NoOrders({ listing, total }: { listing: OrderListing; total: number }) {
  const counts = useQuery(countsQuery).data;
  if (total > 0) {
    const { page: _, ...firstPage } = listing;
    return (
      <EmptyState
        Icon={IconFilterOff}
        title="No more orders"
        description="This page is past the end of the list."
      >
        <LinkButton to="/orders" activeOptions={{ exact: true }} search={firstPage} variant="default">
          Go to the first page
        </LinkButton>
      </EmptyState>
    );
  }
  if (counts?.all === 0)
    return (
      <EmptyState
        Icon={IconShoppingBag}
        title="No orders yet"
        description="Orders from the marketplace appear here as soon as customers buy your products."
      />
    );
  if (listing.status === undefined)
    return (
      <EmptyState
        Icon={IconCircleCheck}
        title="Everything is shipped"
        description="New orders appear here when they are paid."
      >
        <AllOrders />
      </EmptyState>
    );
  return (
    <EmptyState Icon={IconFilterOff} title="No matching orders" description="No orders have this status.">
      <AllOrders />
    </EmptyState>
  );
}

function NoMatches({ hasOthers, listing }: { hasOthers: boolean; listing: OrderListing }) {
  const seesCustomers = useAllows('editor');
  return (
    <EmptyState
      Icon={IconFilterOff}
      title="No matching orders"
      description={
        hasOthers
          ? 'Orders with another status match.'
          : seesCustomers
            ? 'Check the number, or enter whole words of the customer’s name. Names are erased some time after shipping.'
            : 'Check the number.'
      }
    >
      {hasOthers && (
        <LinkButton
          to="/orders"
          activeOptions={{ exact: true }}
          search={{ ...listing, status: ALL }}
          variant="default"
        >
          Search all orders
        </LinkButton>
      )}
    </EmptyState>
  );
}

function AllOrders() {
  return (
    <LinkButton to="/orders" activeOptions={{ exact: true }} search={{ status: ALL }} variant="default">
      Show all orders
    </LinkButton>
  );
}
