import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { type ChangedValue, isShown, shownChanges } from '../../products/history/shown-changes.ts';
import { countCreated } from '../../products/record/history-queries.ts';
import type { ProductDiff } from '../../products/record/product-diff.ts';
import { revisionAt } from '../../products/record/revision.ts';
import type { ChangedProducts } from '../activity-api.ts';
import {
  type DescribedItem,
  type HistorySource,
  isSelective,
  MOST_SEARCHED,
  numbersIn,
  type SourceItem,
} from './activity-source.ts';
import {
  type CallRow,
  type ChangedProductRow,
  findCallAfter,
  findIdentifiers,
  findOldestCall,
  listCalls,
  listChangesOfRevisions,
  listImportFields,
  sumImports,
} from './queries.ts';

/** What calls and imports changed in the catalog. */
export const productCalls: HistorySource = {
  type: 'product',
  hasFields: true,
  findOldest: async (database, merchantId) => (await database.first(findOldestCall, { merchantId }))?.at,
  read: async (database, { merchantId, filter, before, limit }) => {
    const { kinds, name, field, from, until } = filter;
    const [revision, part] = before === undefined ? [revisionAt(until), 0] : numbersIn(before);
    const place = { merchantId, revision, part };
    const searched = { from: revisionAt(from), skipped: MOST_SEARCHED };
    const end = isSelective(filter)
      ? await database.first(findCallAfter, { ...place, ...searched })
      : undefined;
    const rows = await database.all(listCalls, {
      ...place,
      endRevision: end?.revision ?? revisionAt(from),
      endPart: end?.part ?? 0,
      kinds,
      name,
      field: field === undefined ? '' : `%,${field},%`,
      limit,
    });
    return {
      items: rows.map(itemOf),
      searchedTo: end && itemOf(end),
      describe: (count) => describeCalls(database, merchantId, rows.slice(0, count)),
    };
  },
};

function itemOf({ at, revision, part }: Pick<CallRow, 'at' | 'revision' | 'part'>): SourceItem {
  return { at, place: `${revision} ${part}` };
}

async function describeCalls(
  database: Reader,
  merchantId: number,
  rows: readonly CallRow[],
): Promise<DescribedItem[]> {
  const imports = rows.flatMap(({ import_id: id }) => id ?? []);
  const sums = new Map(
    (await lookUp(database, sumImports, merchantId, imports)).map((sum) => [sum.import_id, sum]),
  );
  const importFields = await lookUp(database, listImportFields, merchantId, imports);
  const fieldsOf = ({ import_id: id, fields }: CallRow): string[] => {
    const ofImport = importFields.filter((each) => each.import_id === id).map((each) => each.fields);
    const names = [fields, ...ofImport].flatMap((text) => text.split(','));
    return [...new Set(names)].filter((field) => field !== '' && isShown(field));
  };
  const calls = rows.map((row) => {
    const { changed, created } = sums.get(row.import_id ?? '') ?? { ...row, created: countCreated(row) };
    return { row, changed, created, fields: fieldsOf(row) };
  });
  const single = calls.filter(({ changed, created }) => changed + created === 1).map(({ row }) => row);
  const products = await readSingle(database, merchantId, single);
  return calls.map(({ row, ...call }): DescribedItem => {
    const id = `${row.revision}-${row.part}`;
    const one = products.get(row);
    const subject: ChangedProducts = {
      about: 'products',
      ...call,
      product: one?.product ?? null,
      changes: one?.changes ?? null,
    };
    return { ...row, id, subject };
  });
}

type SingleProduct = Pick<ChangedProducts, 'product' | 'changes'>;

/** Reads the products of calls that concern one product each. */
async function readSingle(
  database: Reader,
  merchantId: number,
  rows: readonly CallRow[],
): Promise<Map<CallRow, SingleProduct>> {
  const revisions = new Set(rows.flatMap(({ changed, revision }) => (changed === 1 ? revision : [])));
  const changes = await lookUp(database, listChangesOfRevisions, merchantId, [...revisions]);
  const found = rows.map((row) => ({ row, ...productOf(row, changes) }));
  const ids = new Set(found.flatMap(({ productId }) => productId ?? []));
  const named = await lookUp(database, findIdentifiers, merchantId, [...ids]);
  const products = new Map(named.map((product) => [product.internal_id, product]));
  return new Map(
    found.map(({ row, productId, changes: ofProduct }) => [
      row,
      { product: products.get(productId ?? 0) ?? null, changes: ofProduct },
    ]),
  );
}

function productOf(
  { revision, part, created_from: created }: CallRow,
  changes: readonly ChangedProductRow[],
): { productId: number | null; changes: ChangedValue[] | null } {
  if (created !== null) return { productId: created, changes: [] };
  for (const row of changes.filter((each) => each.revision === revision)) {
    const ofPart = changesOfPart(row, part);
    if (ofPart !== undefined) return { productId: row.product_id, changes: ofPart };
  }
  return { productId: null, changes: null };
}

/** What a call changed of a product; undefined if it changed nothing, or too much to know. */
export function changesOfPart({ changes }: ChangedProductRow, part: number): ChangedValue[] | undefined {
  const parts = JSON.parse(changes ?? '[]') as [number, ProductDiff][];
  const diff = parts.find(([of]) => of === part)?.[1];
  return diff && shownChanges(diff);
}
