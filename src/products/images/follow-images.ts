import type { Connection, Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { mapInSlices } from '../../shared/map-in-slices.ts';
import type { Product } from '../record/product.ts';
import { hashAddress, type ImageAddress, imageAddresses } from './image-addresses.ts';
import {
  addCheck,
  addCursor,
  type DueMerchant,
  findProductImages,
  IMAGES_BEGIN,
  listChangedImages,
  moveCursor,
  type ProductImageRow,
  setProductImage,
} from './queries.ts';
import { removeImages } from './remove-images.ts';

const PRODUCTS_AT_ONCE = 200;
const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;
/** The field after the images in a record. */
const IMAGES_END = ',"ratings_average":';

/** Where the merchant is in the order of changes. */
type Place = Pick<DueMerchant, 'merchant_id' | 'catalog_revision' | 'revision' | 'product_id'>;

/**
 * Notes the images of some products that have changed since the place. Resolves to the next place, or to
 * undefined if another process follows the merchant.
 */
export async function followImages(
  { database, now }: { database: Database; now: () => number },
  place: Place,
): Promise<(Place & { isLast: boolean }) | undefined> {
  const { merchant_id: merchantId } = place;
  const changed = await database.all(listChangedImages(database.dialect), {
    merchantId,
    afterRevision: place.revision,
    afterId: place.product_id,
    limit: PRODUCTS_AT_ONCE,
  });
  const wanted = new Map(
    await mapInSlices(changed, ({ internal_id, status, images }): [number, ImageAddress[]] => [
      internal_id,
      status === 'deleted' ? [] : imageAddresses(readImages(images)),
    ]),
  );
  const known = await lookUp(database, findProductImages, merchantId, [...wanted.keys()]);
  const isLast = changed.length < PRODUCTS_AT_ONCE;
  const next = { ...place, ...endOf(place, changed.at(-1), isLast), isLast };
  const isMoved = await database.transaction(
    async (connection) => {
      const { revision, product_id } = place;
      connection.send(addCursor, [{ merchant_id: merchantId, revision, product_id, turn_at: 0 }]);
      const moved = await connection.run(moveCursor, {
        merchantId,
        fromRevision: revision,
        fromId: product_id,
        revision: next.revision,
        productId: next.product_id,
      });
      if (moved > 0) writeImages(connection, { merchantId, wanted, known, now: now() });
      return moved > 0;
    },
    { merchantId },
  );
  return isMoved ? next : undefined;
}

/** Changes up to the catalog's revision were visible when it was read. */
function endOf(
  { catalog_revision }: Place,
  last: { revision: number; internal_id: number } | undefined,
  isLast: boolean,
): Pick<Place, 'revision' | 'product_id'> {
  if (last !== undefined && (!isLast || last.revision > catalog_revision))
    return { revision: last.revision, product_id: last.internal_id };
  return { revision: catalog_revision, product_id: AFTER_ALL_IDS };
}

function readImages(images: string): Pick<Product, 'primary_image' | 'extra_images'> {
  if (!images.startsWith(IMAGES_BEGIN)) throw new Error('a record has no images');
  return JSON.parse(`{${images.slice(0, images.indexOf(IMAGES_END))}}`);
}

function writeImages(
  connection: Connection,
  {
    merchantId,
    wanted,
    known,
    now,
  }: {
    merchantId: number;
    wanted: ReadonlyMap<number, readonly ImageAddress[]>;
    known: readonly Omit<ProductImageRow, 'merchant_id'>[];
    now: number;
  },
): void {
  const before = new Map(known.map((image) => [keyOf(image), image]));
  const added: ProductImageRow[] = [];
  const urls = new Map<string, string>();
  for (const [product_id, addresses] of wanted) {
    for (const { url, position } of addresses) {
      const image = { product_id, url_hash: hashAddress(url), position };
      const former = before.get(keyOf(image));
      before.delete(keyOf(image));
      if (former?.position === position) continue;
      added.push({ merchant_id: merchantId, ...image });
      if (former === undefined) urls.set(image.url_hash, url);
    }
  }
  const checks = [...urls].map(([url_hash, url]) => ({
    ...{ merchant_id: merchantId, url_hash, url },
    check_at: now,
    failures: 0,
  }));
  const removed = [...before.values()].map(({ product_id, url_hash }) => ({
    merchant_id: merchantId,
    product_id,
    url_hash,
  }));
  if (added.length > 0) connection.send(setProductImage, added);
  if (checks.length > 0) connection.send(addCheck, checks);
  removeImages(connection, removed);
}

function keyOf({ product_id, url_hash }: Omit<ProductImageRow, 'merchant_id' | 'position'>): string {
  return `${product_id} ${url_hash}`;
}
