/** What a key may do: read everything, write products and import files, or create and change campaigns. */
export const scopes = ['read', 'write', 'campaigns'] as const;
export type Scope = (typeof scopes)[number];

/** Returns the scopes in a list that is separated by commas; undefined if it is empty or has an unknown scope. */
export function parseScopes(list: string): Scope[] | undefined {
  const names = list.split(',').map((name) => name.trim());
  const known = scopes.filter((scope) => names.includes(scope));
  return names.every((name) => scopes.some((scope) => scope === name)) ? known : undefined;
}

/** Returns scopes as `parseScopes` reads them, which is how the database stores them. */
export function formatScopes(list: readonly Scope[]): string {
  return list.join(',');
}
