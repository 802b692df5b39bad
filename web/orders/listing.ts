import type { OrderStatus } from '../../src/orders/record/order.ts';
import type { SearchParameters } from '../server/search-params.ts';

/** The parameters of a list of orders, as in the page’s URL. */
export const listingNames = ['status', 'query', 'sort', 'page', 'per_page'] as const;
export type OrderListing = { [Name in (typeof listingNames)[number]]?: string };

/** The status in the URL of a list of all orders. Without one, the list has the orders to ship. */
export const ALL = 'all';
/** The status in the URL of a list of orders to ship that are late. It has an order of its own. */
export const OVERDUE = 'overdue';
/** The server’s limit of the query, in characters. */
export const MAX_QUERY_LENGTH = 200;
export const DEFAULT_PAGE_SIZE = 50;
export const pageSizes = [25, 50, 100, 250];

/** The tabs of the list: the status in the URL, the API’s status, and the order in which orders are shown. */
export const orderTabs = [
  { name: undefined, label: 'To ship', status: 'paid', sort: 'fulfillment_due_date_asc' },
  { name: OVERDUE, label: 'Overdue', status: 'paid', sort: 'fulfillment_due_date_asc' },
  { name: 'pending_verification', label: 'On hold', status: 'pending_verification', sort: 'id_desc' },
  { name: 'shipped', label: 'Shipped', status: 'shipped', sort: 'id_desc' },
  { name: 'refunded', label: 'Refunded', status: 'refunded', sort: 'id_desc' },
  { name: 'canceled', label: 'Canceled', status: 'canceled', sort: 'id_desc' },
  { name: ALL, label: 'All', status: undefined, sort: 'id_desc' },
] as const satisfies readonly {
  name: string | undefined;
  label: string;
  status: OrderStatus | undefined;
  sort: string;
}[];

export const sortOptions = [
  { value: 'fulfillment_due_date_asc', label: 'Due date, earliest first' },
  { value: 'fulfillment_due_date_desc', label: 'Due date, latest first' },
  { value: 'id_desc', label: 'Newest first' },
  { value: 'id_asc', label: 'Oldest first' },
  { value: 'paid_at_desc', label: 'Last paid first' },
  { value: 'paid_at_asc', label: 'First paid first' },
];

/** Returns the tab of a list; for an unknown status in the URL, one that the server rejects. */
export function tabOf({ status }: OrderListing): { status: string | undefined; sort: string } {
  return orderTabs.find(({ name }) => name === status) ?? { status, sort: 'id_desc' };
}

/** Whether a list has all orders to ship, in the order in which they are due. */
export function isByDueDate(listing: OrderListing): boolean {
  const { status, sort } = tabOf(listing);
  const isDivided = listing.status !== OVERDUE;
  return isDivided && status === 'paid' && (listing.sort ?? sort) === 'fulfillment_due_date_asc';
}

/** Returns the first page of a list with some parameters changed. An empty value removes its parameter. */
export function changeListing({ page: _, ...listing }: OrderListing, changes: OrderListing): OrderListing {
  const kept = Object.entries({ ...listing, ...changes }).filter(([, value]) => value !== '');
  return Object.fromEntries(kept);
}

/** Whether a list has only the orders that are late. A search has all orders to ship instead. */
export function isOverdueOnly({ status, query }: OrderListing): boolean {
  return status === OVERDUE && query === undefined;
}

/** A search begins in all orders, and returns to the orders to ship when it ends. */
export function withQuery({ status, ...others }: OrderListing, query: string): OrderListing {
  const listing: OrderListing = status === undefined || status === OVERDUE ? others : { ...others, status };
  const begins = listing.query === undefined && listing.status === undefined;
  if (query === '') return changeListing(listing, { query, ...(listing.status === ALL && { status: '' }) });
  return changeListing(listing, { query, ...(begins && { status: ALL }) });
}

/** Returns the parameters of the API’s list. */
export function toParameters(listing: OrderListing): SearchParameters {
  const { status, sort } = tabOf(listing);
  const { page = '1', per_page = String(DEFAULT_PAGE_SIZE) } = listing;
  return { status, sort: listing.sort ?? sort, page, per_page };
}
