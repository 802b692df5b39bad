import type { Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { errors } from '../../errors/errors.ts';
import { SeenNumbers } from '../../files/seen-numbers.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { readProducts } from '../bulk/select-products.ts';
import type { ProductDiff } from '../record/product-diff.ts';
import { type ChangePart, listChangedProducts, listChangesSince, PRODUCTS_AT_ONCE } from './queries.ts';
import type { Touch } from './settle-fields.ts';
import { undoLines } from './undo-lines.ts';

interface Services {
  offLoop: OffLoopReads;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Yields the file of an import that undoes a change: see `undoLines`. Reads off the event loop, in the
 * merchant's turn.
 * @throws {DomainError} `nothing_to_undo` at the end if the file would be empty
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function* undoFile(
  { offLoop, now }: Services,
  merchantId: number,
  parts: readonly ChangePart[],
): AsyncGenerator<Buffer> {
  const creating = parts.filter(({ created_to: to }) => to !== null);
  const own = new Set(parts.map(({ revision, part }) => `${revision} ${part}`));
  const oldest = Math.min(...parts.map(({ revision }) => revision));
  const time = formatTime(now());
  let touches = new Map<number, Touch[]>();
  const lines = readProducts(
    { offLoop },
    merchantId,
    { lists: changedProducts(offLoop, merchantId, parts) },
    {
      prepare: async (reader, ids) => {
        touches = await readTouches(reader, merchantId, ids, { own, oldest });
      },
      render: (product) => {
        const id = product.internal_id;
        return undoLines(product, {
          touches: touches.get(id) ?? [],
          isCreated: isWithin(creating, id),
          now: time,
        });
      },
    },
  );
  let isEmpty = true;
  for await (const text of lines) {
    isEmpty = false;
    yield text;
  }
  if (isEmpty) throw errors.nothing_to_undo();
}

/** Yields the internal ids of the products that a change created or changed, each once. */
async function* changedProducts(
  offLoop: OffLoopReads,
  merchantId: number,
  parts: readonly ChangePart[],
): AsyncGenerator<number[]> {
  const seen = new SeenNumbers();
  for (const { revision, changed, created_from: from, created_to: to } of parts) {
    const ids: number[] = [];
    for (let id = from ?? 0; to !== null && id <= to; id += 1) ids.push(id);
    const key = { merchantId, revision };
    const rows =
      changed === 0
        ? []
        : await offLoop.snapshot(merchantId, (reader) => reader.all(listChangedProducts, key));
    ids.push(...rows.map(({ product_id: id }) => id));
    yield ids.filter((id) => !seen.add(id));
  }
}

/** Whether one of the parts created a product. Their ranges of new ids are in order. */
function isWithin(creating: readonly ChangePart[], id: number): boolean {
  let [low, high] = [0, creating.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((creating[middle]?.created_to ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return (creating[low]?.created_from ?? Number.POSITIVE_INFINITY) <= id;
}

/** Reads the changes of products since a revision, newest first. */
async function readTouches(
  reader: Reader,
  merchantId: number,
  ids: readonly number[],
  { own, oldest }: { own: ReadonlySet<string>; oldest: number },
): Promise<Map<number, Touch[]>> {
  const touches = new Map<number, Touch[]>();
  for (let start = 0; start < ids.length; start += PRODUCTS_AT_ONCE) {
    const products = ids.slice(start, start + PRODUCTS_AT_ONCE);
    for (const row of await reader.all(listChangesSince, { merchantId, oldest, products })) {
      const changes = JSON.parse(row.changes) as [number, ProductDiff][];
      const found = touches.get(row.product_id) ?? [];
      touches.set(row.product_id, found);
      for (const [part, diff] of changes.reverse())
        found.push({ isOwn: own.has(`${row.revision} ${part}`), diff });
    }
  }
  return touches;
}
