import { useQuery } from '@tanstack/react-query';
import type { RevealedCustomers } from '../../src/console/order-api.ts';
import { post } from '../server/request.ts';
import type { Order } from './order.ts';
import { countriesQuery } from './queries.ts';

export type RevealedCustomer = RevealedCustomers['customers'][number];

/**
 * Returns the names and addresses of the customers of orders, at most 100, by the order’s ID. The audit log
 * records each. Keep them no longer than they are shown.
 */
export async function reveal(ids: readonly number[]): Promise<ReadonlyMap<number, RevealedCustomer>> {
  const { customers } = await post<RevealedCustomers>('orders/reveal', { order_ids: ids.join(',') });
  return new Map(customers.map((customer) => [customer.order_id, customer]));
}

/** Returns a function that returns the lines of an address, as on a label. */
export function useAddressLines(): (order: Order, customer: RevealedCustomer) => string[] {
  const countries = useQuery(countriesQuery).data;
  return (order, customer) => addressLines(order, customer, countries);
}

function addressLines(
  order: Order,
  customer: RevealedCustomer,
  countries: ReadonlyMap<string, string> | undefined,
): string[] {
  const { customer_name: name, address1, address2, city, postal_code: postalCode } = customer;
  const country = order.country && (countries?.get(order.country) ?? order.country);
  const region = joined(' ', order.state, postalCode);
  // An address can repeat a line by mistake.
  return [...new Set([name, address1, address2, joined(', ', city, region), country].filter(isText))];
}

function joined(separator: string, ...parts: readonly (string | null)[]): string {
  return parts.filter(isText).join(separator);
}

function isText(part: string | null): part is string {
  return part !== null && part !== '';
}
