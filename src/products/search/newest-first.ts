import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import {
  type Bits,
  BLOCK_SIZE,
  countBits,
  idsDescending,
  type ProductSet,
} from '../search-index/product-set.ts';
import {
  type BlockTimes,
  type Creation,
  findCreations,
  listBlocks,
  listCreationsBefore,
} from '../search-index/queries.ts';

interface BlockPart extends BlockTimes {
  bits: Bits;
  count: number;
}

/** Blocks with overlapping times. All other products are older or newer. */
interface Group {
  parts: BlockPart[];
  count: number;
  oldest: number;
  newest: number;
  lowestBlock: number;
}

export interface PagePosition {
  position: number;
  perPage: number;
}

/** Returns the ids of a page of products, newest first and then by descending id, and their total number. */
export async function newestFirst(
  reader: Reader,
  merchantId: number,
  products: ProductSet,
  { position, perPage }: PagePosition,
): Promise<{ total: number; ids: number[] }> {
  const times = await reader.all(listBlocks, { merchantId });
  const parts = times.flatMap((block) => {
    const bits = products.blocks.get(block.block);
    const count = bits === undefined ? 0 : countBits(bits);
    return bits === undefined || count === 0 ? [] : [{ ...block, bits, count }];
  });
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const ids: number[] = [];
  let before = position;
  for (const group of groupsOf(parts)) {
    if (ids.length === perPage) break;
    if (before >= group.count) {
      before -= group.count;
      continue;
    }
    const window = { position: before, perPage: perPage - ids.length };
    ids.push(...(await idsOf(reader, merchantId, { group, products, window })));
    before = 0;
  }
  return { total, ids };
}

/** Groups blocks whose times overlap, newest first. */
function groupsOf(parts: readonly BlockPart[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts.toSorted((a, b) => b.newest - a.newest || b.block - a.block)) {
    const group = groups.at(-1);
    const { oldest, newest, block, count } = part;
    // Products that were created at the same time are in the order of their ids.
    if (
      group === undefined ||
      newest < group.oldest ||
      (newest === group.oldest && block < group.lowestBlock)
    ) {
      groups.push({ parts: [part], count, oldest, newest, lowestBlock: block });
    } else {
      group.parts.push(part);
      group.count += count;
      group.oldest = Math.min(group.oldest, oldest);
      group.lowestBlock = Math.min(group.lowestBlock, block);
    }
  }
  return groups;
}

/** Up to this many creation times are looked up faster than their blocks are read. */
const MAX_LOOKED_UP = 200;

async function idsOf(
  reader: Reader,
  merchantId: number,
  {
    group,
    products,
    window: { position, perPage },
  }: { group: Group; products: ProductSet; window: PagePosition },
): Promise<number[]> {
  const { parts, count } = group;
  const end = position + perPage;
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && only.ordered === 1) {
    return idsDescending(only.block, only.bits).slice(position, end);
  }
  // If the matches are evenly spread, a walk passes this many products before it has found enough.
  const walk = (Math.min(end, count) / count) * parts.length * BLOCK_SIZE;
  if (count <= MAX_LOOKED_UP || count < walk / 2) {
    const ids = parts.flatMap(({ block, bits }) => idsDescending(block, bits));
    const creations = await lookUp(reader, findCreations, merchantId, ids);
    creations.sort((a, b) => b.created_at - a.created_at || b.internal_id - a.internal_id);
    return creations.slice(position, end).map(({ internal_id: id }) => id);
  }
  const inGroup = new Set(parts.map(({ block }) => block));
  const found: number[] = [];
  for await (const id of walkFrom(reader, merchantId, group.newest)) {
    if (!inGroup.has(Math.floor(id / BLOCK_SIZE)) || !products.has(id)) continue;
    found.push(id);
    if (found.length === Math.min(end, count)) break;
  }
  return found.slice(position);
}

const FIRST_STEP = 500;
const MAX_STEP = 8_000;

/** Yields the ids of all products that were not created after a time, newest first. */
async function* walkFrom(reader: Reader, merchantId: number, newest: number): AsyncGenerator<number> {
  let last: Creation = { created_at: newest, internal_id: Number.MAX_SAFE_INTEGER };
  for (let limit = FIRST_STEP; ; limit = Math.min(2 * limit, MAX_STEP)) {
    const rows = await reader.all(listCreationsBefore, {
      merchantId,
      createdAt: last.created_at,
      internalId: last.internal_id,
      limit,
    });
    for (const { internal_id: id } of rows) yield id;
    if (rows.length < limit) return;
    last = rows.at(-1) ?? last;
  }
}
