import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { blockOf } from './product-set.ts';
import { type BlockTimes, findBlocks, saveBlock } from './queries.ts';

/** `createdAt` is in milliseconds since 1970. `isNew` is false if the product had another time before. */
interface ProductCreation {
  internalId: number;
  createdAt: number;
  isNew: boolean;
}

/** New products must have the highest ids. */
export async function recordCreations(
  connection: Connection,
  merchantId: number,
  creations: readonly ProductCreation[],
): Promise<void> {
  if (creations.length === 0) return;
  const numbers = [...new Set(creations.map(({ internalId }) => blockOf(internalId)))];
  const found = await lookUp(connection, findBlocks, merchantId, numbers);
  const blocks = new Map<number, BlockTimes>(found.map((row) => [row.block, row]));
  for (const { internalId, createdAt, isNew } of creations.toSorted((a, b) => a.internalId - b.internalId)) {
    const block = blockOf(internalId);
    const { oldest, newest, ordered } = blocks.get(block) ?? {
      oldest: createdAt,
      newest: createdAt,
      ordered: 1,
    };
    blocks.set(block, {
      block,
      oldest: Math.min(oldest, createdAt),
      newest: Math.max(newest, createdAt),
      ordered: isNew && createdAt >= newest ? ordered : 0,
    });
  }
  const rows = [...blocks.values()].map((times) => ({ merchant_id: merchantId, ...times }));
  await connection.runEach(saveBlock, rows);
}
