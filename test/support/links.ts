/** Returns the token of a link that was mailed or printed; empty without one. */
export function tokenOf(link: string | URL): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
}
