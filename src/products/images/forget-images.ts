import type { Database } from '../../database/database.ts';
import { deleteChecks, deleteCursor, deleteProductImages, listCursors } from './queries.ts';

const MERCHANTS_AT_ONCE = 100;

/** Deletes all that is known about images, because they are not checked anymore. */
export async function forgetImages(database: Database, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const cursors = await database.all(listCursors, { limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of cursors) {
      await database.transaction(
        async (connection) => {
          for (const each of [deleteCursor, deleteProductImages, deleteChecks])
            connection.send(each, [{ merchantId }]);
        },
        { merchantId },
      );
    }
    if (cursors.length < MERCHANTS_AT_ONCE) return;
  }
}
