import { type Dialect, type Statement, statement } from '../../database/database.ts';
import type { CatalogState } from '../../database/merchant-queries.ts';

/** Which changes to read: the first ones after a position. */
interface ChangesWindow {
  merchantId: number;
  afterRevision: number;
  afterId: number;
  limit: number;
}

/** The state of the catalog that changes are read from, and the end of the page. */
export interface ChangesRow extends CatalogState {
  /** The revision and id of the last change of a full page; null if the page is not full. */
  end_revision: number | null;
  end_id: number | null;
  /** 1 if there are changes after a full page, otherwise 0. */
  more: number;
}

const CHANGED = `p.merchant_id = :merchantId AND (p.revision, p.internal_id) > (:afterRevision, :afterId)
  ORDER BY p.revision, p.internal_id`;

/** Reads the records of a page of changes, and where the page ends; for `firstWithItems`. */
export function readChanges(
  roundedSize: number,
  maxRecordBytes: number,
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
    `SELECT CASE WHEN octet_length(p.record) <= ${maxRecordBytes} THEN p.record END AS item
     FROM products p WHERE ${CHANGED}`,
    roundedSize,
  );
}

/** Lists changes with the sizes of their records in bytes. */
export const listChangeSizes = statement<
  ChangesWindow,
  { revision: number; internal_id: number; bytes: number }
>(
  `SELECT p.revision, p.internal_id, octet_length(p.record) AS bytes FROM products p
   WHERE ${CHANGED} LIMIT CAST(:limit AS bigint)`,
);

/** A catalog with changes that no event has announced. */
interface Announcement {
  /** When its last event was recorded, in milliseconds since 1970. */
  announced_at: number;
  /** The time from that to the next one, in milliseconds. */
  announce_interval: number;
}

/**
 * Lists catalogs with changes that no event has announced, the one that waits longest first. Only the process that numbers
 * events runs it: in a cluster, it reads from every node.
 */
export const listUnannounced = statement<{ limit: number }, Announcement & { merchant_id: number }>(
  `SELECT merchant_id, announced_at, announce_interval FROM merchant_counters WHERE unannounced = 1
   ORDER BY announced_at, merchant_id LIMIT CAST(:limit AS bigint)`,
);

/** Locks a merchant and takes its mark that there are such changes. Returns no row if it has none. */
export const takeUnannounced = statement<
  { merchantId: number },
  Announcement & CatalogState & { announced_revision: number }
>(
  `UPDATE merchant_counters SET unannounced = 0 WHERE merchant_id = :merchantId AND unannounced = 1
   RETURNING epoch, catalog_revision AS revision, announced_revision, announced_at, announce_interval`,
);

/** Stores that all changes up to a revision were announced. */
export const setAnnounced = statement<
  { merchantId: number; revision: number; now: number; interval: number },
  never
>(
  `UPDATE merchant_counters
   SET announced_revision = :revision, announced_at = :now, announce_interval = :interval
   WHERE merchant_id = :merchantId`,
);
