import { type NewestPlace, ofSide, type RecordOfPlace, recordWithPage } from '../../database/lists-of-all.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import type { Mode } from '../../database/sides.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { ProductStatus } from '../record/product.ts';
import type { ProductRow } from '../record/queries.ts';

type NewestStatement = Statement<NewestPlace & { status: ProductStatus; limit: number }, NewestPlace>;

const placeColumns = 'merchant_id AS "merchantId", internal_id AS id, created_at AS "createdAt"';

function listNewest(side: Mode): NewestStatement {
  return statement(
    `SELECT ${placeColumns} FROM products
     WHERE ${ofSide[side]} AND status = :status
       AND (created_at, merchant_id, internal_id) < (:createdAt, :merchantId, :id)
     ORDER BY created_at DESC, merchant_id DESC, internal_id DESC LIMIT CAST(:limit AS bigint)`,
    { everyNode: true },
  );
}

/** Lists the products of a status of all merchants, newest first. */
export const listNewestOfAll: Readonly<Record<Mode, NewestStatement>> = {
  live: listNewest('live'),
  test: listNewest('test'),
};

/** Lists one merchant's products of a status, newest first. */
export const listNewestOfMerchant: NewestStatement = statement(
  `SELECT ${placeColumns} FROM products
   WHERE merchant_id = :merchantId AND status = :status
     AND (created_at, internal_id) < (:createdAt, :id)
   ORDER BY created_at DESC, internal_id DESC LIMIT CAST(:limit AS bigint)`,
);

export interface MerchantsWithWords {
  /** Both are excluded. */
  after: number;
  end: number;
  limit: number;
}

/**
 * Lists merchants that have a product for each of one to `MAX_CANDIDATE_WORDS` words, but not always one
 * product for all of them. Looks into the index of one merchant after the other until there are enough.
 */
export function listMerchantsWithWords(
  words: number,
): Statement<MerchantsWithWords & Record<string, string | number>, { merchant_id: number }> {
  const found = withWords[words - 1];
  if (found === undefined) throw new Error(`there is no statement for ${words} words`);
  return found;
}

export const MAX_CANDIDATE_WORDS = 3;

const withWords = Array.from({ length: MAX_CANDIDATE_WORDS }, (_, index) => createWithWords(index + 1));

function createWithWords(
  words: number,
): Statement<MerchantsWithWords & Record<string, string | number>, { merchant_id: number }> {
  const conditions = Array.from({ length: words }, (_, index) => hasWord(index));
  return statement(
    `SELECT merchant_id FROM merchant_counters
     WHERE merchant_id > :after AND merchant_id < :end AND ${conditions.join(' AND ')}
     ORDER BY merchant_id LIMIT CAST(:limit AS bigint)`,
    { everyNode: true, offLoop: true },
  );
}

function hasWord(index: number): string {
  const ranges = [
    exists('search_words', 'word', `:from${index}`, `:to${index}`),
    ...['products', 'variations'].flatMap((table) => [
      exists(table, 'identifier', `:from${index}`, `:to${index}`),
      exists(table, 'identifier', `:upperFrom${index}`, `:upperTo${index}`),
    ]),
  ];
  return `(${ranges.join(' OR ')})`;
}

/** The second comparison keeps PostgreSQL from reading the range of all merchants into a hash table first. */
function exists(table: string, column: string, from: string, to: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS found WHERE found.merchant_id = merchant_counters.merchant_id
    AND found.merchant_id <= merchant_counters.merchant_id
    AND found.${column} >= ${from} AND found.${column} < ${to})`;
}

/** For `lookUp`. */
export const findListed = statement<Lookup<number>, RecordOfPlace & Pick<ProductRow, 'moderation'>>(
  `SELECT merchant_id, internal_id AS id, moderation, ${recordWithPage('record')}
   FROM products WHERE merchant_id = :merchantId AND internal_id IN (${namesPlaceholder})`,
);

export type ModeratedProduct = Pick<
  ProductRow,
  'internal_id' | 'moderation' | 'moderation_reasons' | 'moderated_at' | 'review_since' | 'record'
>;

export const findModerated = statement<{ merchantId: number; identifier: string }, ModeratedProduct>(
  `SELECT internal_id, moderation, moderation_reasons, moderated_at, review_since, record
   FROM products WHERE merchant_id = :merchantId AND identifier = :identifier`,
);
