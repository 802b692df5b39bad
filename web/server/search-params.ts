/** The query string of a page's URL, parsed. */
export type SearchParameters = Record<string, unknown>;

/** Returns a parser that keeps the named parameters as strings. The server validates their values. */
export function stringParameters<const Name extends string>(
  ...names: readonly Name[]
): (search: SearchParameters) => { [N in Name]?: string } {
  return (search) => {
    const kept: { [N in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') kept[name] = value;
    }
    return kept;
  };
}

/** Formats parameters as a query string with its `?`, without the empty ones; '' if none remain. */
export function stringifySearch(search: SearchParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
