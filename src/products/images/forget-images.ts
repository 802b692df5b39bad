import type { Database } from '../../database/database.ts';
import { deleteCursor, listCursors, listSomeImages, restartCursor } from './queries.ts';
import { removeImages } from './remove-images.ts';

const MERCHANTS_AT_ONCE = 100;
/** More would block other writers for longer. */
const IMAGES_AT_ONCE = 1_000;

/**
 * Deletes all that is known about images, because they are not checked anymore. Works in short transactions,
 * until `isStopping`. After each, images can be checked again.
 */
export async function forgetImages(database: Database, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const cursors = await database.all(listCursors, { limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of cursors) await forgetImagesOf(database, merchantId, isStopping);
    if (cursors.length < MERCHANTS_AT_ONCE) return;
  }
}

async function forgetImagesOf(
  database: Database,
  merchantId: number,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    const some = await database.all(listSomeImages, { merchantId, limit: IMAGES_AT_ONCE });
    const isLast = some.length < IMAGES_AT_ONCE;
    await database.transaction(
      async (connection) => {
        removeImages(
          connection,
          some.map((image) => ({ merchant_id: merchantId, ...image })),
        );
        connection.send(isLast ? deleteCursor : restartCursor, [{ merchantId }]);
      },
      { merchantId },
    );
    if (isLast) return;
  }
}
