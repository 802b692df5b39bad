import type { Connection } from '../../database/database.ts';
import { deleteProductImage, deleteUnusedCheck, type ProductImageRow } from './queries.ts';

/** Deletes images of products, and what is known about addresses that no product has anymore. */
export function removeImages(
  connection: Connection,
  removed: readonly Omit<ProductImageRow, 'position'>[],
): void {
  if (removed.length === 0) return;
  const addresses = new Map(
    removed.map(({ merchant_id, url_hash }) => [url_hash, { merchant_id, url_hash }]),
  );
  connection.send(deleteProductImage, [...removed]);
  connection.send(deleteUnusedCheck, [...addresses.values()]);
}
