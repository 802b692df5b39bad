import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { shownChanges } from '../../products/history/shown-changes.ts';
import type { ProductDiff } from '../../products/record/product-diff.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import type { ActivityProduct, ActivityProducts } from '../activity-api.ts';
import { consoleErrors } from '../errors.ts';
import { numbersIn } from './activity-source.ts';
import { changesOfPart } from './product-calls.ts';
import {
  type CallRow,
  type ChangedProductRow,
  findCall,
  findIdentifiers,
  findNewRange,
  listNewProducts,
  listProductsOfImport,
  listProductsOfRevision,
} from './queries.ts';

interface Call extends Pick<CallRow, 'import_id' | 'created_from' | 'created_to'> {
  merchantId: number;
  revision: number;
  part: number;
}

/** The revision and internal ID of a changed product, or 0 and the internal ID of a new one. */
type Place = [revision: number, productId: number];

/**
 * Lists the products of an entry of the activity: the changed ones, then the new ones. A page before the last
 * may be short.
 * @throws {DomainError} `missing` if nothing is recorded under this ID; `invalid_parameters` for a cursor of
 *   another list
 */
export async function listActivityProducts(
  database: Reader,
  merchantId: number,
  { id, before, limit }: { id: string; before: string | undefined; limit: number },
): Promise<ActivityProducts> {
  const [revision, part] = numbersIn(id.replace('-', ' '));
  const row = await database.first(findCall, { merchantId, revision, part });
  if (row === undefined) throw consoleErrors.missing('This change is no longer recorded.');
  const call = { ...row, merchantId, revision, part };
  const list = { merchantId, listing: `products of ${id}` };
  const [from = 1, after = 0] =
    before === undefined ? [1, 0] : decodeCursor('before', before, list, ['integer', 'integer']);
  const changed = from === 0 ? [] : await listChanged(database, call, { revision: from, after, limit });
  const rest = limit - changed.length;
  const created =
    rest <= 0 ? [] : await listNew(database, call, { after: from === 0 ? after : 0, limit: rest });
  const last = changed.at(-1);
  const lastNew = created.at(-1);
  const place: Place | undefined =
    rest <= 0 && last !== undefined ? [last.revision, last.product_id] : lastNew && [0, lastNew.internal_id];
  const products = [...(await nameChanged(database, call, changed)), ...created];
  const isEnd = rest > 0 && created.length < rest;
  return { products, next: isEnd || place === undefined ? null : encodeCursor(list, place) };
}

async function listChanged(
  database: Reader,
  { merchantId, import_id: importId, revision: only }: Call,
  { revision, after, limit }: { revision: number; after: number; limit: number },
): Promise<ChangedProductRow[]> {
  const place = { merchantId, after, limit };
  return importId === null
    ? await database.all(listProductsOfRevision, { ...place, revision: only })
    : await database.all(listProductsOfImport, { ...place, importId, revision });
}

async function listNew(
  database: Reader,
  { merchantId, import_id: importId, created_from: first, created_to: last }: Call,
  { after, limit }: { after: number; limit: number },
): Promise<ActivityProduct[]> {
  const products: ActivityProduct[] = [];
  for (let place = after; products.length < limit; ) {
    const range =
      importId !== null
        ? await database.first(findNewRange, { merchantId, importId, after: place })
        : first !== null && last !== null && last > place
          ? { created_from: first, created_to: last }
          : undefined;
    if (range === undefined) break;
    const { created_from: from, created_to: to } = range;
    const wanted = limit - products.length;
    const ofRange = { merchantId, after: Math.max(place, from - 1), to, limit: wanted };
    const found = await database.all(listNewProducts, ofRange);
    products.push(...found.map((product) => ({ ...product, is_new: true, changes: [] })));
    place = found.length < wanted ? to : (found.at(-1)?.internal_id ?? to);
  }
  return products;
}

/** Leaves out products that other calls of the same transaction have changed. */
async function nameChanged(
  database: Reader,
  { merchantId, import_id: importId, part }: Call,
  rows: readonly ChangedProductRow[],
): Promise<ActivityProduct[]> {
  const ids = new Set(rows.map(({ product_id: id }) => id));
  const named = await lookUp(database, findIdentifiers, merchantId, [...ids]);
  const identifiers = new Map(named.map(({ internal_id: id, identifier }) => [id, identifier]));
  return rows.flatMap((row): ActivityProduct[] => {
    const { product_id: id, changes } = row;
    const ofCall = importId === null ? changesOfPart(row, part) : changesOfAll(row);
    if (changes !== null && ofCall === undefined) return [];
    return [
      { internal_id: id, identifier: identifiers.get(id) ?? null, is_new: false, changes: ofCall ?? null },
    ];
  });
}

/** An import has its transactions for itself. */
function changesOfAll({ changes }: ChangedProductRow): ActivityProduct['changes'] | undefined {
  if (changes === null) return undefined;
  const parts = JSON.parse(changes) as [number, ProductDiff][];
  return parts.flatMap(([, diff]) => shownChanges(diff));
}
