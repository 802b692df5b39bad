import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { findSizes } from '../list/queries.ts';
import { inSteps } from '../list/read-in-steps.ts';
import { type Product, parseProduct } from '../record/product.ts';
import { findProductsByInternalIds } from '../record/queries.ts';
import { findMatches, type Search } from '../search/find-matches.ts';
import { countBits, idsDescending } from '../search-index/product-set.ts';

const PRODUCTS_PER_LOOKUP = 500;

const sizesById = findSizes('internal_id');

/** The products that a bulk change or an export applies to. The ids are internal ids. */
export type Selection = { ids: readonly number[] } | { search: Omit<Search, 'merchantId'> };

interface SelectedProducts {
  count: number;
  /** Internal ids, in order. Lists are created as they are read, once, to save memory. */
  lists: Iterable<readonly number[]>;
}

interface ReadOptions {
  /** Returns a product's text in parts. Other work may run between two parts. */
  render: (product: Product) => Iterable<string>;
  /** Called with the ids of each step before it is rendered, to read more of the same snapshot. */
  prepare?: (reader: Reader, ids: readonly number[]) => Promise<void>;
  /** Called before each step is read. An error that it throws ends the reading. */
  beforeStep?: () => void;
}

interface Services {
  offLoop: OffLoopReads;
}

/**
 * Finds selected products, newest first; `readProducts` leaves out ids that no product has. A search without
 * words and filters matches all products of its status, or all that are not deleted.
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function selectProducts(
  { offLoop }: Services,
  merchantId: number,
  selection: Selection,
): Promise<SelectedProducts> {
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids)];
    return { count: ids.length, lists: [ids] };
  }
  const search = { merchantId, ...selection.search };
  const { blocks } = await offLoop.snapshot(merchantId, (reader) => findMatches(reader, search));
  const sorted = [...blocks].sort(([one], [other]) => other - one);
  return {
    count: sorted.reduce((sum, [, bits]) => sum + countBits(bits), 0),
    lists: sorted.values().map(([block, bits]) => idsDescending(block, bits)),
  };
}

/**
 * Reads selected products in steps of at most 1 MiB of records, or of one larger record, and yields each
 * step's UTF-8 text. Steps are read off the event loop, in the merchant's turn, and rendered in short slices.
 * Products that do not exist are left out.
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function* readProducts(
  { offLoop }: Services,
  merchantId: number,
  { lists }: { lists: SelectedProducts['lists'] | AsyncIterable<readonly number[]> },
  { beforeStep = () => {}, ...options }: ReadOptions,
): AsyncGenerator<Buffer> {
  for await (const list of lists) {
    for (let start = 0; start < list.length; ) {
      const ids = list.slice(start, start + PRODUCTS_PER_LOOKUP);
      const { products, text } = await offLoop.snapshot(merchantId, async (reader) => {
        beforeStep();
        return await readStep(reader, merchantId, ids, options);
      });
      start += products;
      if (text.length > 0) yield text;
    }
  }
}

async function readStep(
  reader: Reader,
  merchantId: number,
  ids: readonly number[],
  { render, prepare = async () => {} }: Omit<ReadOptions, 'beforeStep'>,
): Promise<{ products: number; text: Buffer }> {
  const found = await lookUp(reader, sizesById, merchantId, ids);
  const sizes = new Map(found.map((row) => [row.internal_id, row.bytes]));
  const records = ids.map((internalId) => ({ internalId, bytes: sizes.get(internalId) ?? 0 }));
  const [step = []] = inSteps(records);
  const stepIds = step.map(({ internalId }) => internalId);
  await prepare(reader, stepIds);
  const rows = await lookUp(reader, findProductsByInternalIds, merchantId, stepIds);
  const byId = new Map(rows.map((row) => [row.internal_id, row.record]));
  const parts: string[] = [];
  const slices = new TimeSlices();
  for (const id of stepIds) {
    const record = byId.get(id);
    if (record === undefined) continue;
    for (const part of render(parseProduct(record))) {
      parts.push(part);
      if (slices.isOver) await slices.pause();
    }
  }
  return { products: step.length, text: Buffer.from(parts.join('')) };
}
