import type { Dialect } from '../database/database.ts';
import { type Lookup, namesPlaceholder } from '../database/look-up.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';
import type { EventType } from '../events/event-types.ts';
import type { OutboxRow } from '../events/queries.ts';

const FEED = 1;

export const createFeed = statement<{ epoch: number }, never>(
  `INSERT INTO event_feed (id, epoch, last_number, deleted_up_to, holder, lease_until)
   VALUES (${FEED}, :epoch, 0, 0, '', 0) ON CONFLICT (id) DO NOTHING`,
);

export interface FeedBounds {
  epoch: number;
  last_number: number;
  /** The number of the newest event that was deleted because of its age. */
  deleted_up_to: number;
}

export const findBounds = statement<unknown, FeedBounds>(
  `SELECT epoch, last_number, deleted_up_to FROM event_feed WHERE id = ${FEED}`,
);

interface Lease {
  holder: string;
  /** In microseconds. */
  duration: number;
}

/** A lease that ends later, in microseconds, is from when the database's clock was wrong. */
const MAX_LEASE = 60_000_000;

/** The statements use the database's clock. */
export interface LeaseStatements {
  /** 1 if the lease has expired, or if this process holds it. */
  findState: Statement<{ holder: string }, { available: number }>;
  /** Changes nothing if another process holds the lease. */
  take: Statement<Lease, never>;
  /** Extends the lease until the transaction ends and for `duration` after that. No row if it is lost. */
  hold: Statement<Lease, { last_number: number }>;
}

export function leaseStatements({ clock }: Pick<Dialect, 'clock'>): LeaseStatements {
  const isFree = `(lease_until <= ${clock} OR lease_until > ${clock} + ${MAX_LEASE})`;
  return {
    findState: statement(
      `SELECT CASE WHEN holder = :holder OR ${isFree} THEN 1 ELSE 0 END AS available
       FROM event_feed WHERE id = ${FEED}`,
    ),
    take: statement(
      `UPDATE event_feed SET holder = :holder, lease_until = ${clock} + CAST(:duration AS bigint)
       WHERE id = ${FEED} AND (holder = :holder OR ${isFree})`,
    ),
    hold: statement(
      `UPDATE event_feed SET lease_until = ${clock} + CAST(:duration AS bigint)
       WHERE id = ${FEED} AND holder = :holder AND lease_until > ${clock} RETURNING last_number`,
    ),
  };
}

/** Does nothing if the process has lost the lease. */
export const releaseLease = statement<{ holder: string }, never>(
  `UPDATE event_feed SET lease_until = 0 WHERE id = ${FEED} AND holder = :holder`,
);

export const setLastNumber = statement<{ lastNumber: number }, never>(
  `UPDATE event_feed SET last_number = :lastNumber WHERE id = ${FEED}`,
);

const MAX_COUNTED = 10_000;

interface WaitingEvents {
  /** At most `MAX_COUNTED`. */
  waiting: number;
  /** When the oldest was written, and now, in microseconds of the database's clock. */
  oldest: number | null;
  now: number;
}

/** In a cluster, it reads from every node. */
export function backlogStatement({ clock }: Pick<Dialect, 'clock'>): Statement<unknown, WaitingEvents> {
  return statement(
    `SELECT CAST(count(*) AS integer) AS waiting, min(written_at) AS oldest, ${clock} AS now
     FROM (SELECT written_at FROM outbox LIMIT ${MAX_COUNTED}) AS waiting`,
    { everyNode: true },
  );
}

export interface WaitingEvent extends OutboxRow {
  written_at: number;
}

/**
 * Each merchant's events in the order in which they were written. Only for the process that numbers events:
 * in a cluster, it reads from every node.
 */
export const listOutbox = statement<{ afterMerchant: number; limit: number }, WaitingEvent>(
  `SELECT merchant_id, written_at, id, type, occurred_at, revision, data FROM outbox
   WHERE merchant_id > :afterMerchant ORDER BY merchant_id, written_at, id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

/** For lists as in `lookUp`. */
export const deleteFromOutbox = statement<Lookup<string> & { from: number; upTo: number }, never>(
  `DELETE FROM outbox WHERE merchant_id = :merchantId AND written_at >= :from AND written_at <= :upTo
     AND id IN (${namesPlaceholder})`,
);

export interface EventRow extends OutboxRow {
  /** Without gaps, in the order of the feed. */
  number: number;
}

export const insertNumberedEvent = insertInto<EventRow>('events', [
  'number',
  'id',
  'merchant_id',
  'type',
  'occurred_at',
  'revision',
  'data',
]);

/** Adds the operator's id of the merchant. */
export interface FeedRow extends EventRow {
  external_id: string | null;
}

/** Columns of events `e` and merchants `m`. */
export const feedColumns =
  'e.number, e.id, e.merchant_id, m.external_id, e.type, e.occurred_at, e.revision, e.data';

export const listEventsAfter = statement<{ after: number; limit: number }, FeedRow>(
  `SELECT ${feedColumns}
   FROM events e LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
   WHERE e.number > :after ORDER BY e.number LIMIT CAST(:limit AS bigint)`,
);

/** The most types of events that can be left out. */
const MAX_HIDDEN = 40;

export const listMerchantEventsAfter = statement<
  { merchantId: number; after: number; limit: number; hidden: readonly EventType[] },
  FeedRow
>(
  `SELECT ${feedColumns}
   FROM events e LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
   WHERE e.merchant_id = :merchantId AND e.number > :after
     AND e.type NOT IN (:hidden[${MAX_HIDDEN}])
   ORDER BY e.number LIMIT CAST(:limit AS bigint)`,
);

interface NewestEvents {
  before: number;
  limit: number;
}

const selectNewest = (condition: string): string =>
  `SELECT ${feedColumns}
   FROM events e LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
   WHERE e.number < :before ${condition} ORDER BY e.number DESC LIMIT CAST(:limit AS bigint)`;

/** Newest first, as the next statements. */
export const listNewest = statement<NewestEvents, FeedRow>(selectNewest(''));

export const listNewestOfType = statement<NewestEvents & { type: EventType }, FeedRow>(
  selectNewest('AND e.type = :type'),
);

export const listNewestOf = statement<NewestEvents & { merchantId: number }, FeedRow>(
  selectNewest('AND e.merchant_id = :merchantId'),
);

export const listNewestOfTypeOf = statement<NewestEvents & { merchantId: number; type: EventType }, FeedRow>(
  selectNewest('AND e.merchant_id = :merchantId AND e.type = :type'),
);

export const listOldest = statement<{ limit: number }, { number: number; occurred_at: number }>(
  'SELECT number, occurred_at FROM events ORDER BY number LIMIT CAST(:limit AS bigint)',
);

export const deleteEventsUpTo = statement<{ number: number }, never>(
  'DELETE FROM events WHERE number <= :number',
);

export const setDeletedUpTo = statement<{ number: number }, never>(
  `UPDATE event_feed SET deleted_up_to = :number WHERE id = ${FEED}`,
);
