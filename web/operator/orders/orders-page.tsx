import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { orderStatuses } from '../../../src/orders/record/order.ts';
import { zoneName } from '../../format/time-zones.ts';
import { useFormats } from '../../format/use-formats.ts';
import { statusTexts } from '../../orders/order.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFilterOff, IconTruckDelivery } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RecordFilters } from '../record-filters.tsx';
import { useAllows } from '../session.ts';
import { OrdersForbidden } from './orders-forbidden.tsx';
import { OrdersTable } from './orders-table.tsx';
import { type OrderSearch, ordersQuery } from './queries.ts';

const route = getRouteApi('/signed-in/orders');

const MAX_QUERY_LENGTH = 100;
const statuses = orderStatuses.map((value) => ({ value, label: statusTexts[value].label }));
const periods = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Since yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
];

/** The orders of all merchants, for admins and support. */
export function Page() {
  return useAllows('support') ? <Orders /> : <OrdersForbidden />;
}

function Orders() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { timeZone } = useFormats();
  const list = useInfiniteQuery({
    ...ordersQuery(search, Date.now(), timeZone),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.keys(search).length > 0;
  const change = (changes: OrderSearch): void =>
    void navigate({
      to: '/orders',
      search: { ...search, ...changes },
      replace: 'query' in changes,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        lead={`What all merchants have sold, newest first. Days begin at midnight, ${zoneName(timeZone)} time.`}
      />
      <RecordFilters
        records="orders"
        search={search}
        merchantName={list.data?.pages[0]?.results[0]?.merchant.name}
        placeholder="Order ID, SKU or tracking number"
        maxLength={MAX_QUERY_LENGTH}
        statuses={statuses}
        onChange={change}
      >
        <NativeSelect
          aria-label="Ordered"
          value={search.days ?? ''}
          data={periods}
          onChange={(event) => change({ days: event.currentTarget.value })}
        />
      </RecordFilters>
      <Panel flush>
        <Loaded query={list} skeleton={10}>
          {({ pages }) => {
            const orders = pages.flatMap(({ results }) => results);
            if (orders.length > 0) return <OrdersTable orders={orders} isTest={search.test === 'true'} />;
            if (list.hasNextPage)
              return (
                <EmptyState
                  Icon={IconFilterOff}
                  title="Nothing found so far"
                  description="Many merchants have such orders, but with another status or time. The search can go on."
                />
              );
            return isFiltered ? (
              <EmptyState
                Icon={IconFilterOff}
                title="No matching orders"
                description="The search finds an order’s ID, and the beginning of an external ID, SKU or tracking number."
              >
                <LinkButton to="/orders" variant="default">
                  Show all orders
                </LinkButton>
              </EmptyState>
            ) : (
              <EmptyState
                Icon={IconTruckDelivery}
                title="No orders yet"
                description="Orders that your back end states appear here."
              />
            );
          }}
        </Loaded>
      </Panel>
      <MoreButton list={list} label="Show more orders" />
    </>
  );
}
