import { insertInto, statement, upsertInto } from '../database/statement.ts';

export interface MerchantRow {
  id: number;
  /** The operator's own id of the merchant, which is unique. */
  external_id: string;
  name: string;
  email: string | null;
  time_zone: string;
  /** ISO 4217, such as EUR. */
  currency: string;
  created_at: number;
  /** Null unless the merchant is suspended. */
  suspended_at: number | null;
  /** What the operator told the merchant; null unless the merchant is suspended. */
  suspension_reason: string | null;
  /** How many requests each key may send in a minute; null for the setting. */
  request_limit: number | null;
  /** How many products each side may have; null for any number. */
  product_limit: number | null;
  /** 1 if the merchant requires two-factor authentication of its console users, else 0. */
  requires_two_factor: number;
}

const names = [
  'id',
  'external_id',
  'name',
  'email',
  'time_zone',
  'currency',
  'created_at',
  'suspended_at',
  'suspension_reason',
  'request_limit',
  'product_limit',
  'requires_two_factor',
] as const satisfies (keyof MerchantRow)[];
const columns = names.join(', ');

export const findNextMerchantId = statement<unknown, { id: number }>(
  'SELECT coalesce(max(id), 0) + 1 AS id FROM merchants',
);

export const insertMerchant = insertInto<MerchantRow>('merchants', names);

export const insertCounters = insertInto<{
  merchant_id: number;
  catalog_revision: number;
  epoch: number;
  suspended_at: number | null;
  time_zone: string;
  request_limit: number | null;
  product_limit: number | null;
}>('merchant_counters', [
  'merchant_id',
  'catalog_revision',
  'epoch',
  'suspended_at',
  'time_zone',
  'request_limit',
  'product_limit',
]);

/** Adds the counters of the operator's own keys. Changes nothing if they exist. */
export const insertOperatorCounters = statement<
  { merchantId: number; revision: number; epoch: number },
  never
>(
  `INSERT INTO merchant_counters (merchant_id, catalog_revision, epoch)
   VALUES (:merchantId, :revision, :epoch) ON CONFLICT (merchant_id) DO NOTHING`,
);

export const listMerchantsById = statement<unknown, MerchantRow>(
  `SELECT ${columns} FROM merchants ORDER BY id`,
);

/** Finds a merchant, or its test side: that has the side's id, and otherwise the merchant's values. */
export const findMerchantById = statement<{ merchantId: number }, MerchantRow>(
  `SELECT CAST(:merchantId AS bigint) AS id, ${columns.replace(/^id, /, '')} FROM merchants
   WHERE id = abs(CAST(:merchantId AS bigint))`,
);

/** Changes nothing if the test side is already open. */
export const markTestSide = statement<{ merchantId: number }, never>(
  'UPDATE merchants SET has_test_side = 1 WHERE id = :merchantId AND has_test_side = 0',
);

/** Whether (1) a merchant's test side is open. */
export const findTestSide = statement<{ merchantId: number }, { has_test_side: number }>(
  'SELECT has_test_side FROM merchants WHERE id = :merchantId',
);

export const listTestSides = statement<unknown, { id: number; has_test_side: number }>(
  'SELECT id, has_test_side FROM merchants ORDER BY id',
);

export const findMerchantByExternalId = statement<{ externalId: string }, MerchantRow>(
  `SELECT ${columns} FROM merchants WHERE external_id = :externalId`,
);

export const MERCHANTS_AT_ONCE = 50;

export const findMerchantsByIds = statement<
  { ids: readonly number[] },
  Pick<MerchantRow, 'id' | 'external_id' | 'name' | 'currency'>
>(`SELECT id, external_id, name, currency FROM merchants WHERE id IN (:ids[${MERCHANTS_AT_ONCE}])`);

export const findMerchantsByExternalIds = statement<
  { externalIds: readonly string[] },
  Pick<MerchantRow, 'id' | 'external_id'>
>(`SELECT id, external_id FROM merchants WHERE external_id IN (:externalIds[${MERCHANTS_AT_ONCE}])`);

interface MerchantPart {
  after: number;
  /** Of suspended merchants (1), of others (0), or of both. */
  suspended: readonly number[];
  limit: number;
}

const page = (condition: string): string =>
  `SELECT ${columns} FROM merchants
   WHERE id > :after AND (CASE WHEN suspended_at IS NULL THEN 0 ELSE 1 END) IN (:suspended[2])${condition}
   ORDER BY id LIMIT CAST(:limit AS bigint)`;
const withWord = ` AND id IN (SELECT w.merchant_id FROM merchant_words w
     WHERE w.word >= :word AND w.word < :wordEnd)`;
const among = ` AND id IN (:ids[${MERCHANTS_AT_ONCE}])`;

/** Oldest first, as all of these. */
export const listMerchantsAfter = statement<MerchantPart, MerchantRow>(page(''));

/** Words are in byte order. */
interface WordRange {
  word: string;
  wordEnd: string;
}

export const findMerchantsByWord = statement<MerchantPart & WordRange, MerchantRow>(page(withWord));

type Among = MerchantPart & { ids: readonly number[] };

export const listMerchantsAmong = statement<Among, MerchantRow>(page(among));

export const findAmongByWord = statement<Among & WordRange, MerchantRow>(page(`${withWord}${among}`));

/** Does nothing if the merchant has the word. `word` is as `wordsOf` returns it. */
export const insertWord = upsertInto<{ word: string; merchant_id: number }>(
  'merchant_words',
  ['word', 'merchant_id'],
  [],
  'DO NOTHING',
);

export const deleteWord = statement<{ word: string; merchantId: number }, never>(
  'DELETE FROM merchant_words WHERE word = :word AND merchant_id = :merchantId',
);

/** Returns the IDs of all merchants with a currency, with commas between them. */
export const listCurrencies = statement<unknown, { currency: string; ids: string }>(
  `SELECT currency, string_agg(CAST(id AS text), ',') AS ids FROM merchants GROUP BY currency`,
);

export const countMerchants = statement<unknown, { merchants: number; suspended: number }>(
  'SELECT count(*) AS merchants, count(suspended_at) AS suspended FROM merchants',
);

export const updateMerchantRow = statement<Omit<MerchantRow, 'created_at' | 'requires_two_factor'>, never>(
  `UPDATE merchants SET external_id = :external_id, name = :name, email = :email, time_zone = :time_zone,
     currency = :currency, suspended_at = :suspended_at, suspension_reason = :suspension_reason,
     request_limit = :request_limit, product_limit = :product_limit
   WHERE id = :id`,
);

/** For a merchant or its test side. */
export const setTimeZone = statement<{ merchantId: number; timeZone: string }, never>(
  'UPDATE merchant_counters SET time_zone = :timeZone WHERE merchant_id = :merchantId',
);

export const findTimeZone = statement<{ merchantId: number }, { time_zone: string }>(
  'SELECT time_zone FROM merchant_counters WHERE merchant_id = :merchantId',
);

/** For a merchant or its test side; null activates the keys again. */
export const setSuspension = statement<{ merchantId: number; suspendedAt: number | null }, never>(
  'UPDATE merchant_counters SET suspended_at = :suspendedAt WHERE merchant_id = :merchantId',
);

/** For a merchant or its test side. */
export const setLimits = statement<
  { merchantId: number; requestLimit: number | null; productLimit: number | null },
  never
>(
  `UPDATE merchant_counters SET request_limit = :requestLimit, product_limit = :productLimit
   WHERE merchant_id = :merchantId`,
);

/** Locks a merchant like `lockMerchant`. */
export const claimWithSuspension = statement<{ merchantId: number }, { suspended_at: number | null }>(
  `UPDATE merchant_counters SET last_key_id = last_key_id WHERE merchant_id = :merchantId
   RETURNING suspended_at`,
);

/** Finds one of a merchant's schedules. */
export const findAnyPlacement = statement<{ merchantId: number }, { placement_id: string }>(
  'SELECT placement_id FROM placements WHERE merchant_id = :merchantId ORDER BY placement_id LIMIT 1',
);

export const findAnySchedule = statement<{ merchantId: number }, { schedule_id: string }>(
  'SELECT schedule_id FROM schedules WHERE merchant_id = :merchantId LIMIT 1',
);

export const findMerchantByName = statement<{ name: string }, MerchantRow>(
  `SELECT ${columns} FROM merchants WHERE name = :name`,
);

/** `folded_name` is as `foldName` returns it. */
export const insertName = insertInto<{ folded_name: string; merchant_id: number }>('merchant_names', [
  'folded_name',
  'merchant_id',
]);

export const findNameHolder = statement<{ foldedName: string }, { merchant_id: number; name: string }>(
  `SELECT n.merchant_id, m.name FROM merchant_names n JOIN merchants m ON m.id = n.merchant_id
   WHERE n.folded_name = :foldedName`,
);

export const moveName = statement<{ foldedName: string; merchantId: number }, never>(
  'UPDATE merchant_names SET merchant_id = :merchantId WHERE folded_name = :foldedName',
);

export const countNames = statement<{ merchantId: number }, { names: number }>(
  'SELECT count(*) AS names FROM merchant_names WHERE merchant_id = :merchantId',
);

/** `required` is 0 or 1. Changes nothing if that is stored already. */
export const setTwoFactorRequirement = statement<{ merchantId: number; required: number }, never>(
  `UPDATE merchants SET requires_two_factor = :required
   WHERE id = :merchantId AND requires_two_factor <> :required`,
);
