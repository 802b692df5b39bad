import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { insertInto, statement } from '../../database/statement.ts';

/** `products` is a result of `encodeBits`. */
export interface BlockRow {
  block: number;
  products: Uint8Array;
}

/** A row of `search_words` or `search_prefixes`. */
export interface SetRow extends BlockRow {
  merchant_id: number;
  /** A word of titles or identifiers, a popular prefix, or a status after a space. */
  word: string;
}

type SetTable = 'search_words' | 'search_prefixes';

/** `take` deletes and returns rows of one block by their words. */
function setStatements(table: SetTable) {
  return {
    take: statement<Lookup<string> & { block: number }, Pick<SetRow, 'word' | 'products'>>(
      `DELETE FROM ${table}
       WHERE merchant_id = :merchantId AND block = :block AND word IN (${namesPlaceholder})
       RETURNING word, products`,
    ),
    insert: insertInto<SetRow>(table, ['merchant_id', 'word', 'block', 'products']),
  };
}

/** The products by each word of their titles, and by identifiers for which `isFoundAsWritten` is false. */
export const wordRows = setStatements('search_words');
/** The products by each popular prefix of their words and identifiers, and by status. */
export const prefixRows = setStatements('search_prefixes');

export const listPrefix = statement<{ merchantId: number; word: string }, BlockRow>(
  'SELECT block, products FROM search_prefixes WHERE merchant_id = :merchantId AND word = :word',
);

/** `to` is excluded. */
export interface Range {
  merchantId: number;
  from: string;
  to: string;
}

const inRange = (column: string): string =>
  `merchant_id = :merchantId AND ${column} >= :from AND ${column} < :to`;

export const listWords = statement<Range, Pick<SetRow, 'word'> & BlockRow>(
  `SELECT word, block, products FROM search_words WHERE ${inRange('word')}`,
);
export const listIdentifiers = statement<Range, { identifier: string; internal_id: number }>(
  `SELECT identifier, internal_id FROM products WHERE ${inRange('identifier')}`,
);
export const listVariationOwners = statement<Range, { identifier: string; internal_id: number }>(
  `SELECT identifier, product_id AS internal_id FROM variations WHERE ${inRange('identifier')}`,
);

function countIn(table: string, column: string) {
  return statement<Range & { most: number }, { rows: number }>(
    `SELECT count(*) AS rows FROM
       (SELECT 1 AS found FROM ${table} WHERE ${inRange(column)} LIMIT CAST(:most AS bigint)) AS counted`,
  );
}

export const countWords = countIn('search_words', 'word');
export const countIdentifiers = countIn('products', 'identifier');
export const countVariations = countIn('variations', 'identifier');

/** As a JSON array. */
export const findPopular = statement<{ merchantId: number }, { prefixes: string }>(
  'SELECT prefixes FROM search_popular WHERE merchant_id = :merchantId',
);
export const savePopular = statement<{ merchant_id: number; prefixes: string }, never>(
  `INSERT INTO search_popular (merchant_id, prefixes) VALUES (:merchant_id, :prefixes)
   ON CONFLICT (merchant_id) DO UPDATE SET prefixes = excluded.prefixes`,
);

export interface BlockTimes {
  block: number;
  /** Milliseconds since 1970. */
  oldest: number;
  newest: number;
  /** 1 if no product has an older one with a higher id. */
  ordered: number;
}

export const findBlocks = statement<Lookup<number>, BlockTimes>(
  `SELECT block, oldest, newest, ordered FROM search_blocks
   WHERE merchant_id = :merchantId AND block IN (${namesPlaceholder})`,
);
export const listBlocks = statement<{ merchantId: number }, BlockTimes>(
  'SELECT block, oldest, newest, ordered FROM search_blocks WHERE merchant_id = :merchantId',
);
export const saveBlock = statement<BlockTimes & { merchant_id: number }, never>(
  `INSERT INTO search_blocks (merchant_id, block, oldest, newest, ordered)
   VALUES (:merchant_id, :block, :oldest, :newest, :ordered)
   ON CONFLICT (merchant_id, block)
   DO UPDATE SET oldest = excluded.oldest, newest = excluded.newest, ordered = excluded.ordered`,
);

export interface Creation {
  created_at: number;
  internal_id: number;
}

export const findCreations = statement<Lookup<number>, Creation>(
  `SELECT created_at, internal_id FROM products
   WHERE merchant_id = :merchantId AND internal_id IN (${namesPlaceholder})`,
);
export const listCreationsBefore = statement<
  { merchantId: number; createdAt: number; internalId: number; limit: number },
  Creation
>(
  `SELECT created_at, internal_id FROM products
   WHERE merchant_id = :merchantId AND (created_at, internal_id) < (:createdAt, :internalId)
   ORDER BY created_at DESC, internal_id DESC LIMIT CAST(:limit AS bigint)`,
);
