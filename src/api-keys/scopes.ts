/**
 * What a key may do: read the catalog, campaigns and sales, write products and import files, create and
 * change campaigns, read orders, ship and refund orders, or see the names and addresses of customers.
 */
export const scopes = ['read', 'write', 'campaigns', 'orders', 'fulfillment', 'customers'] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of a key that is created without a choice. Customers' data has to be chosen. */
export const defaultScopes = scopes.filter((scope) => scope !== 'customers');

/** What an operator key may do: manage merchants, write catalogs or orders, change campaigns, read events. */
export const operatorScopes = ['merchants', 'catalog', 'campaigns', 'events', 'orders'] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** Reads a list with commas; undefined if it is empty or has a scope that is not in `all`. */
export function parseScopes<Name extends string>(list: string, all: readonly Name[]): Name[] | undefined {
  const names = list.split(',').map((name) => name.trim());
  const known = all.filter((scope) => names.includes(scope));
  return names.every((name) => all.some((scope) => scope === name)) ? known : undefined;
}

/** As `parseScopes` reads them and the database stores them. */
export function formatScopes(list: readonly string[]): string {
  return list.join(',');
}
