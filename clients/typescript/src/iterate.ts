/** Where the next page of a list begins. */
export type Next = { after: string } | { page: number };

/**
 * Yields each record of all pages once, even if it moves to a later page. `list` gets where the page begins,
 * which is an empty object for the first one. `nextOf` returns null for the last page. `identityOf` returns
 * what tells a record from all others; undefined if nothing does.
 */
export async function* everyItem<Item extends object>(
  list: (next: Partial<{ after: string; page: number }>) => Promise<Item[]>,
  nextOf: (page: Item[]) => Next | null,
  identityOf: (item: Item) => unknown = idOf,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  for (let next: Next | null | Record<string, never> = {}; next !== null; ) {
    const page: Item[] = await list(next);
    for (const item of page) {
      const id = identityOf(item);
      if (id !== undefined && seen.has(id)) continue;
      seen.add(id);
      yield item;
    }
    next = nextOf(page);
  }
}

function idOf(item: object): unknown {
  if ('internal_id' in item) return item.internal_id;
  return 'id' in item ? item.id : undefined;
}

/** Yields the results of all pages. `nextOf` returns null for the last page. */
export async function* everyResult<Item, Position>(
  list: (position: Position | undefined) => Promise<{ results: Item[]; next: Position | null }>,
): AsyncGenerator<Item, void, undefined> {
  for (let position: Position | undefined; ; ) {
    const { results, next }: { results: Item[]; next: Position | null } = await list(position);
    yield* results;
    if (next === null) return;
    position = next;
  }
}

/** Yields the pages up to the present. `positionOf` returns where the page after a page begins. */
export async function* everyPage<Page extends { more: boolean }>(
  start: string,
  list: (position: string) => Promise<Page>,
  positionOf: (page: Page) => string,
): AsyncGenerator<Page, void, undefined> {
  for (let position = start; ; ) {
    const page = await list(position);
    yield page;
    if (!page.more) return;
    position = positionOf(page);
  }
}
