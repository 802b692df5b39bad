/** What a key may do: read everything, write products and import files, or create and change campaigns. */
export const scopes = ['read', 'write', 'campaigns'] as const;
export type Scope = (typeof scopes)[number];

/** What an operator key may do: manage merchants, write catalogs, change campaigns, or read events. */
export const operatorScopes = ['merchants', 'catalog', 'campaigns', 'events'] as const;
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
