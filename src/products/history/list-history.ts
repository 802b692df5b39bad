import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { errors } from '../../errors/errors.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import type { ProductDiff } from '../record/product-diff.ts';
import { changeId } from '../undo/find-change.ts';
import { type ListedChange, type ListedChanges, listedChange } from './listed-changes.ts';
import { type Author, findAuthors, findCreation, findHistoryStart, listProductChanges } from './queries.ts';
import { type ChangedValue, shownChanges } from './shown-changes.ts';

/** One change of a product, in wire order. */
export interface ProductHistoryEntry extends ListedChange<ChangedValue> {
  /** Names the call, or the transaction of an import, for an undo: see `changeId`. */
  change_id: string;
}

export type ProductHistory = ListedChanges<ChangedValue, ProductHistoryEntry>;

/** One change of a product, and who made it. */
export interface ProductChange {
  author: Author;
  action: ListedChange<ChangedValue>['action'];
  changes: ChangedValue[];
}

/** A revision, and how many of its calls were listed. Revision 0 has the creation of the product. */
type Position = [revision: number, listed: number];

interface Listed {
  position: Position;
  part: number;
  diff: ProductDiff | undefined;
}

const MAX_BYTES = 1024 * 1024;

interface Page {
  perPage: number;
  after: string | undefined;
}

/** Lists the changes of a product as `readHistory`, in wire order. @throws {DomainError} as `readHistory` */
export async function listHistory(
  database: Pick<Database, 'all' | 'first'>,
  product: { merchantId: number; identifier: string },
  page: Page,
): Promise<ProductHistory> {
  const { changes, ...rest } = await readHistory(database, product, page);
  const results = changes.map(
    ({ author, action, changes: fields }): ProductHistoryEntry => ({
      change_id: changeId(author),
      ...listedChange(author, action, fields),
    }),
  );
  return { results, ...rest };
}

/**
 * Reads the changes of a product, newest first, and at last its creation, as far as they are recorded. A
 * page may end early after large changes.
 * @throws {DomainError} `product_not_found`; `invalid_parameters` for a cursor of another list
 */
export async function readHistory(
  database: Pick<Database, 'all' | 'first'>,
  { merchantId, identifier }: { merchantId: number; identifier: string },
  { perPage, after }: Page,
): Promise<{ changes: ProductChange[]; cursor: string; more: boolean }> {
  const product = await database.first(findHistoryStart, { merchantId, identifier });
  if (product === undefined) throw errors.product_not_found(identifier);
  const { internal_id: productId, history_revision: newest } = product;
  const list = { merchantId, listing: `history of ${productId}` };
  const types = ['integer', 'integer'] as const;
  const [revision = 0, skip = 0] =
    after === undefined ? [newest, 0] : decodeCursor('after', after, list, types).map(Number);
  const limits = { limit: perPage + 1, maxBytes: MAX_BYTES };
  const rows = await database.all(listProductChanges, { merchantId, productId, revision, ...limits });
  const known = rows.flatMap((row) => {
    const parts = JSON.parse(row.changes) as [number, ProductDiff][];
    const newestFirst = parts.reverse().map(([part, diff], index): Listed => {
      return { position: [row.revision, index], part, diff };
    });
    return row.revision === revision ? newestFirst.slice(skip) : newestFirst;
  });
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.changes), 0);
  const isCut = rows.length > perPage || bytes >= MAX_BYTES;
  const creation = isCut ? undefined : await database.first(findCreation, { merchantId, productId });
  const isCreated = creation !== undefined && creation.created_from <= productId;
  if (isCreated && !(revision === 0 && skip > 0))
    known.push({ position: [0, 0], part: creation.part, diff: undefined });
  const listed = known.slice(0, perPage);
  const next: Position =
    known[perPage]?.position ?? (isCut ? [rows.at(-1)?.former_revision ?? 0, 0] : [0, 1]);
  const revisions = new Set(listed.map(({ position: [of] }) => of));
  const found = await lookUp(database, findAuthors, merchantId, [...revisions]);
  const authors = new Map(found.map((author) => [nameOf(author), author]));
  const changes = listed.flatMap(({ position: [of], part, diff }): ProductChange[] => {
    const author = diff === undefined ? creation : authors.get(nameOf({ revision: of, part }));
    if (author === undefined) return [];
    const action = diff === undefined ? 'created' : 'changed';
    return [{ author, action, changes: diff === undefined ? [] : shownChanges(diff) }];
  });
  return { changes, cursor: encodeCursor(list, next), more: isCut || known.length > perPage };
}

function nameOf({ revision, part }: { revision: number; part: number }): string {
  return `${revision} ${part}`;
}
