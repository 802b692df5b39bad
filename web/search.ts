/** What stands after the `?` of a page's address: text under each name, as in the API's own addresses. */
export type SearchParameters = Record<string, unknown>;

/** Keeps the parameters of these names, as text; what they mean is the server's to say. */
export function textParameters<const Name extends string>(
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

export function writeSearch(search: SearchParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
