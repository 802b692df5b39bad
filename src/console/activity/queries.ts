import type { AuditAction } from '../../audit/audit-entry.ts';
import type { Actor, ActorKind } from '../../database/actor.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';
import type { CatalogChangeRow } from '../../products/record/history-queries.ts';
import type { ActivityType } from '../activity-api.ts';
import { allKinds } from './activity-source.ts';
import { groupsOf, unrecordedActions } from './log-types.ts';

export interface ByActor {
  kinds: readonly ActorKind[];
  /** '' for any. */
  name: string;
}

/** The condition for `ByActor`. */
export const byActor = (kind: string, name: string): string =>
  `${kind} IN (:kinds[${allKinds.length}]) AND (:name = '' OR ${name} = :name)`;

/** The import of an entry of the audit log, as IDs begin with their time. */
export const findImportEntry = statement<
  { merchantId: number; from: string; until: string },
  { action: AuditAction; subject: string | null }
>(
  `SELECT action, subject FROM audit_entries
   WHERE merchant_id = :merchantId AND id >= :from AND id < :until
     AND action IN ('products.imported', 'products.bulk_changed')
   ORDER BY id DESC LIMIT 1`,
);

export type CallRow = Omit<CatalogChangeRow, 'merchant_id' | 'request_id'>;

interface CatalogPlace {
  revision: number;
  part: number;
}

/** Calls, and of each import its newest transaction, if any of its transactions has changed the field. */
export const listCalls = statement<
  { merchantId: number; endRevision: number; endPart: number; limit: number } & CatalogPlace &
    ByActor & { field: string },
  CallRow
>(
  `SELECT c.revision, c.part, c.at, c.actor_kind, c.actor_name, c.import_id, c.changed, c.created_from, c.created_to,
     c.fields
   FROM catalog_changes c
   WHERE c.merchant_id = :merchantId AND (c.revision, c.part) < (:revision, :part)
     AND (c.revision, c.part) >= (:endRevision, :endPart)
     AND ${byActor('c.actor_kind', 'c.actor_name')}
     AND (c.import_id IS NULL OR NOT EXISTS (
       SELECT 1 FROM catalog_changes later
       WHERE later.merchant_id = :merchantId AND later.import_id = c.import_id AND later.revision > c.revision))
     AND (:field = '' OR c.fields LIKE :field OR c.import_id IS NOT NULL AND EXISTS (
       SELECT 1 FROM catalog_changes other
       WHERE other.merchant_id = :merchantId AND other.import_id = c.import_id AND other.import_id IS NOT NULL
         AND other.fields LIKE :field))
   ORDER BY c.revision DESC, c.part DESC LIMIT :limit`,
);

/** The row after the first `skipped` ones. */
export const findCallAfter = statement<
  { merchantId: number; from: number; skipped: number } & CatalogPlace,
  CatalogPlace & { at: number }
>(
  `SELECT revision, part, at FROM catalog_changes
   WHERE merchant_id = :merchantId AND (revision, part) < (:revision, :part) AND revision >= :from
   ORDER BY revision DESC, part DESC LIMIT 1 OFFSET :skipped`,
);

export const findOldestCall = statement<{ merchantId: number }, { at: number }>(
  'SELECT at FROM catalog_changes WHERE merchant_id = :merchantId ORDER BY revision, part LIMIT 1',
);

/** For `lookUp`. */
export const sumImports = statement<Lookup<string>, { import_id: string; changed: number; created: number }>(
  `SELECT import_id, CAST(sum(changed) AS bigint) AS changed,
     CAST(sum(coalesce(created_to - created_from + 1, 0)) AS bigint) AS created
   FROM catalog_changes WHERE merchant_id = :merchantId AND import_id IN (${namesPlaceholder})
   GROUP BY import_id`,
);

/** For `lookUp`. */
export const listImportFields = statement<Lookup<string>, { import_id: string; fields: string }>(
  `SELECT DISTINCT import_id, fields FROM catalog_changes
   WHERE merchant_id = :merchantId AND import_id IN (${namesPlaceholder})`,
);

/** Larger changes are not parsed, because that would block the event loop. */
const MAX_BYTES = 16 * 1024;
const smallChanges = (row: string): string =>
  `CASE WHEN octet_length(${row}.changes) <= ${MAX_BYTES} THEN ${row}.changes END AS changes`;

export interface ChangedProductRow {
  revision: number;
  product_id: number;
  /** Null if they are too large. */
  changes: string | null;
}

/** The changes of revisions in which calls changed one product each; for `lookUp`. */
export const listChangesOfRevisions = statement<Lookup<number>, ChangedProductRow>(
  `SELECT p.revision, p.product_id, ${smallChanges('p')} FROM product_changes p
   WHERE p.merchant_id = :merchantId AND p.revision IN (${namesPlaceholder})`,
);

/** For `lookUp`. */
export const findIdentifiers = statement<Lookup<number>, { internal_id: number; identifier: string }>(
  `SELECT internal_id, identifier FROM products
   WHERE merchant_id = :merchantId AND internal_id IN (${namesPlaceholder})`,
);

export const findCall = statement<
  { merchantId: number } & CatalogPlace,
  Pick<CallRow, 'import_id' | 'created_from' | 'created_to'>
>(
  `SELECT import_id, created_from, created_to FROM catalog_changes
   WHERE merchant_id = :merchantId AND revision = :revision AND part = :part`,
);

interface ProductPlace {
  merchantId: number;
  revision: number;
  after: number;
  limit: number;
}

/** The products that a transaction changed, after one of them. */
export const listProductsOfRevision = statement<ProductPlace, ChangedProductRow>(
  `SELECT p.revision, p.product_id, ${smallChanges('p')} FROM product_changes p
   WHERE p.merchant_id = :merchantId AND p.revision = :revision AND p.product_id > :after
   ORDER BY p.product_id LIMIT :limit`,
);

/** The products that an import changed, in the order of its transactions. */
export const listProductsOfImport = statement<ProductPlace & { importId: string }, ChangedProductRow>(
  `SELECT p.revision, p.product_id, ${smallChanges('p')} FROM catalog_changes c
   JOIN product_changes p ON p.merchant_id = c.merchant_id AND p.revision = c.revision
   WHERE c.merchant_id = :merchantId AND c.import_id = :importId AND c.revision >= :revision
     AND (c.revision > :revision OR p.product_id > :after)
   ORDER BY c.revision, p.product_id LIMIT :limit`,
);

interface NewProductRow {
  internal_id: number;
  identifier: string;
}

/** New products of a call. */
export const listNewProducts = statement<
  { merchantId: number; after: number; to: number; limit: number },
  NewProductRow
>(
  `SELECT internal_id, identifier FROM products
   WHERE merchant_id = :merchantId AND internal_id > :after AND internal_id <= :to
   ORDER BY internal_id LIMIT :limit`,
);

/** The next internal IDs that an import has created. */
export const findNewRange = statement<
  { merchantId: number; importId: string; after: number },
  { created_from: number; created_to: number }
>(
  `SELECT created_from, created_to FROM catalog_changes
   WHERE merchant_id = :merchantId AND import_id = :importId AND created_to > :after
   ORDER BY created_to LIMIT 1`,
);

interface CampaignPlace {
  at: number;
  id: string;
}

export interface CampaignCallRow {
  id: string;
  campaign_id: string;
  at: number;
  actor_kind: Actor['kind'];
  actor_name: string;
  changes: string;
  /** Null if the campaign is gone. */
  name: string | null;
}

export const listCampaignCalls = statement<
  { merchantId: number; endAt: number; endId: string; limit: number } & CampaignPlace &
    ByActor & { field: string },
  CampaignCallRow
>(
  `SELECT h.id, h.campaign_id, h.at, h.actor_kind, h.actor_name, h.changes, c.name
   FROM campaign_changes h
   LEFT JOIN campaigns c ON c.merchant_id = h.merchant_id AND c.id = h.campaign_id
   WHERE h.merchant_id = :merchantId AND h.at <= :at AND (h.at, h.id) < (:at, :id)
     AND h.at >= :endAt AND (h.at, h.id) >= (:endAt, :endId)
     AND ${byActor('h.actor_kind', 'h.actor_name')} AND (:field = '' OR h.changes LIKE :field)
   ORDER BY h.at DESC, h.id DESC LIMIT :limit`,
);

export const findCampaignCallAfter = statement<
  { merchantId: number; from: number; skipped: number } & CampaignPlace,
  CampaignPlace
>(
  `SELECT at, id FROM campaign_changes
   WHERE merchant_id = :merchantId AND at <= :at AND (at, id) < (:at, :id) AND at >= :from
   ORDER BY at DESC, id DESC LIMIT 1 OFFSET :skipped`,
);

export const findOldestCampaignCall = statement<{ merchantId: number }, { at: number }>(
  'SELECT at FROM campaign_changes WHERE merchant_id = :merchantId ORDER BY at LIMIT 1',
);

/** The types whose histories have all of their changes since their oldest one. */
export const recordedTypes = ['product', 'campaign'] as const satisfies ActivityType[];
export type RecordedType = (typeof recordedTypes)[number];

/** For each type, the time from which its history has what the log has, too. */
type HistoryStarts = { [Type in RecordedType as `${Type}From`]: number };

const isOf = (type: ActivityType): string =>
  `(${groupsOf(type)
    .map((group) => `action LIKE '${group}.%'`)
    .join(' OR ')})`;
const isRecorded = recordedTypes
  .map((type) => `at >= :${type}From AND ${isOf(type)}`)
  .map((condition) => `(${condition})`)
  .join(' OR ');
/** Calls of orders are in both, unless they change only what the history must not have, such as a note. */
const isInOrderHistory = `${isOf('order')} AND (
         SELECT count(*) FROM order_changes h
         WHERE h.merchant_id = :merchantId AND h.at = audit_entries.at AND h.actor_kind = audit_entries.who_kind
           AND h.actor_name = audit_entries.who AND CAST(h.order_id AS text) = audit_entries.subject) > 0`;
const unrecorded = unrecordedActions.map((action) => `'${action}'`).join(', ');

export interface LogRow {
  id: string;
  at: number;
  who_kind: ActorKind;
  who: string;
  action: AuditAction;
  subject: string | null;
}

/** Entries of the audit log that no history has; of a type, or of all types. */
export function listLog(type: ActivityType | undefined) {
  return statement<
    { merchantId: number; before: string; from: string; limit: number } & ByActor & HistoryStarts,
    LogRow
  >(
    `SELECT id, at, who_kind, who, action, subject FROM audit_entries
     WHERE merchant_id = :merchantId AND id < :before AND id >= :from AND ${byActor('who_kind', 'who')}
       ${type === undefined ? '' : `AND ${isOf(type)}`} AND (action IN (${unrecorded}) OR NOT (${isRecorded} OR (${isInOrderHistory})))
     ORDER BY id DESC LIMIT :limit`,
  );
}

export const findLogEntryAfter = statement<
  { merchantId: number; before: string; from: string; skipped: number },
  Pick<LogRow, 'id' | 'at'>
>(
  `SELECT id, at FROM audit_entries WHERE merchant_id = :merchantId AND id < :before AND id >= :from
   ORDER BY id DESC LIMIT 1 OFFSET :skipped`,
);
