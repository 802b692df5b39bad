/**
 * What a key may do: read the catalog, campaigns and sales, write products and import files, change only
 * quantities, create and change campaigns, read orders, ship and refund orders, see the names and addresses
 * of customers, or manage webhooks.
 */
export const scopes = [
  'read',
  'write',
  'stock',
  'campaigns',
  'orders',
  'fulfillment',
  'customers',
  'webhooks',
] as const;
export type Scope = (typeof scopes)[number];

/** A key has these only if they are chosen. `stock` is a part of `write`. */
const chosenScopes: readonly Scope[] = ['stock', 'customers', 'webhooks'];

/** The scopes of a key that is created without a choice. */
export const defaultScopes = scopes.filter((scope) => !chosenScopes.includes(scope));

/**
 * What an operator key may do: manage merchants, give access to them by keys and users, write
 * catalogs, change the lists that all merchants use, change campaigns, read events and manage webhooks,
 * write orders, or look after the service itself.
 */
export const operatorScopes = [
  'merchants',
  'access',
  'catalog',
  'lists',
  'campaigns',
  'events',
  'orders',
  'system',
] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** The scopes that are a part of another one: `write` may do whatever `stock` may. */
const widerScopes: ReadonlyMap<string, Scope | OperatorScope> = new Map([
  ['stock', 'write'],
  ['access', 'merchants'],
  ['lists', 'catalog'],
]);

/** Returns the scope that includes another one, if there is one. */
export function widerScope(scope: string): Scope | OperatorScope | undefined {
  return widerScopes.get(scope);
}

/** Whether one of the granted scopes is `needed`, or includes it. */
export function hasScope(granted: readonly string[], needed: string): boolean {
  const wider = widerScope(needed);
  return granted.includes(needed) || (wider !== undefined && granted.includes(wider));
}

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
