import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Dialect } from '../../database/database.ts';
import type { CatalogState } from '../../database/merchant-queries.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { Announcement, UnannouncedChanges } from '../../event-feed/announce-changes.ts';
import { shownRecord } from '../record/queries.ts';

interface ChangesWindow {
  merchantId: number;
  afterRevision: number;
  afterId: number;
  limit: number;
}

interface ChangesRow extends CatalogState {
  /** The last change of a full page; null if the page is not full. */
  end_revision: number | null;
  end_id: number | null;
  /** 1 if there are changes after a full page. */
  more: number;
}

const CHANGED = `p.merchant_id = :merchantId AND (p.revision, p.internal_id) > (:afterRevision, :afterId)
  ORDER BY p.revision, p.internal_id`;

interface ChangesShape {
  roundedSize: number;
  maxRecordBytes: number;
  fields: RecordFields;
}

/** Reads a page of changes, as `shownRecord` says, and where it ends; for `firstWithItems`. */
export function readChanges(
  { roundedSize, maxRecordBytes, fields }: ChangesShape,
  dialect: Dialect,
): Statement<ChangesWindow, ChangesRow> {
  return dialect.withItems<Omit<ChangesWindow, 'limit'>, ChangesRow>(
    {
      columns: ['epoch', 'revision', 'end_revision', 'end_id', 'more'],
      sql: `SELECT c.epoch, c.catalog_revision AS revision, e.revision AS end_revision, e.internal_id AS end_id,
              CASE WHEN EXISTS (SELECT 1 FROM products n
                                WHERE n.merchant_id = :merchantId
                                  AND (n.revision, n.internal_id) > (e.revision, e.internal_id))
                THEN 1 ELSE 0 END AS more
            FROM merchant_counters c
            LEFT JOIN (SELECT p.revision, p.internal_id FROM products p WHERE ${CHANGED}
                       LIMIT 1 OFFSET CAST(:limit AS bigint) - 1) AS e ON true
            WHERE c.merchant_id = :merchantId`,
    },
    `SELECT CASE WHEN octet_length(p.record) <= ${maxRecordBytes} THEN ${shownRecord('p', fields)} END AS item
     FROM products p WHERE ${CHANGED}`,
    roundedSize,
  );
}

/** Lists changes with their records' sizes in bytes. */
export const listChangeSizes = statement<
  ChangesWindow,
  { revision: number; internal_id: number; bytes: number }
>(
  `SELECT p.revision, p.internal_id, octet_length(p.record) AS bytes FROM products p
   WHERE ${CHANGED} LIMIT CAST(:limit AS bigint)`,
);

/**
 * Lists catalogs with unannounced changes, the longest waiting first. It reads from every node of a cluster,
 * so only the process that numbers events runs it.
 */
export const listUnannounced = statement<{ limit: number }, Announcement & { merchant_id: number }>(
  `SELECT merchant_id, announced_at, announce_interval FROM merchant_counters WHERE unannounced = 1
   ORDER BY announced_at, merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

/** Clears a merchant's mark of unannounced changes. Returns no row if it has none. */
export const takeUnannounced = statement<{ merchantId: number }, UnannouncedChanges>(
  `UPDATE merchant_counters SET unannounced = 0 WHERE merchant_id = :merchantId AND unannounced = 1
   RETURNING catalog_revision AS revision, announced_revision, announced_at, announce_interval`,
);

export const setAnnounced = statement<
  { merchantId: number; revision: number; now: number; interval: number },
  never
>(
  `UPDATE merchant_counters
   SET announced_revision = :revision, announced_at = :now, announce_interval = :interval
   WHERE merchant_id = :merchantId`,
);
