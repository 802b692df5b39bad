import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import type { Statement } from '../database/statement.ts';
import { revisionAt } from '../products/record/revision.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../sync/changes-cursor.ts';
import { findCampaignState, raiseCampaignRevision } from './queries.ts';

export interface ChangeSources {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/**
 * Rows of a merchant whose changes get their revision when they are listed, so that transactions which write
 * them do not wait for each other. All such lists share one counter.
 */
export interface LateNumbered<Row> {
  /** The name of the list in cursors. */
  listing: string;
  /** In the order of their last change, after a revision and a key. */
  listChangedAfter: Statement<{ merchantId: number; revision: number; id: string; limit: number }, Row>;
  /** Finds a row that has changed and has no revision yet. */
  findUnnumbered: Statement<{ merchantId: number }, object>;
  /** Gives up to `limit` rows without a revision this one. */
  number: Statement<{ merchantId: number; revision: number; limit: number }, never>;
  keyOf(row: Row): string;
}

/** After all rows without a revision, and before all others. */
const BEGINNING = { revision: 1, key: '~' };
/** Reading more takes too long for the event loop. */
const MAX_ON_LOOP = 250;
/** Rows that get a revision in one transaction. */
const NUMBERED_AT_ONCE = 1_000;

/**
 * A client that continues at the cursor sees every row in its newest state. A change gets its revision after
 * its commit, in transactions that wait for each other. `more` says whether there are more changes already.
 * @throws {DomainError} `invalid_parameters` for another list's cursor, `cursor_expired` after a restore
 */
export async function changesOf<Row extends { revision: number }>(
  sources: ChangeSources,
  { merchantId, perPage }: { merchantId: number; perPage: number },
  changedSince: string,
  { listing, listChangedAfter, findUnnumbered, number, keyOf }: LateNumbered<Row>,
): Promise<{ rows: Row[]; cursor: string; more: boolean }> {
  const list = { merchantId, listing };
  const cursor = decodeChangesCursor(changedSince, list, 'text');
  const { database, offLoop } = sources;
  const head = await database.first(findCampaignState, { merchantId });
  if (head === undefined) throw missingMerchant(merchantId);
  // An empty list ends where it begins.
  requireSameHistory(cursor, { ...head, revision: Math.max(head.revision, BEGINNING.revision) });
  const { revision, key } = cursor ?? BEGINNING;
  const window = { merchantId, revision, id: String(key), limit: perPage + 1 };
  const read = (): Promise<Row[]> =>
    perPage <= MAX_ON_LOOP
      ? database.all(listChangedAfter, window)
      : offLoop.snapshot(merchantId, (reader) => reader.all(listChangedAfter, window));
  let rows = await read();
  let isComplete = true;
  if (rows.length <= perPage && (await database.first(findUnnumbered, { merchantId }))) {
    isComplete = await numberSome(sources, merchantId, number);
    rows = await read();
  }
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  const end = last === undefined ? { revision, key } : { revision: last.revision, key: keyOf(last) };
  return {
    rows: page,
    cursor: encodeChangesCursor(list, head.epoch, end),
    more: rows.length > perPage || !isComplete,
  };
}

/** Gives rows that have changed a revision, unless there are very many. */
export async function numberChanges(
  sources: Pick<ChangeSources, 'database' | 'now'>,
  merchantId: number,
  { findUnnumbered, number }: Pick<LateNumbered<never>, 'findUnnumbered' | 'number'>,
): Promise<void> {
  if (await sources.database.first(findUnnumbered, { merchantId }))
    await numberSome(sources, merchantId, number);
}

/** Numbers some rows that have changed. Resolves to whether these were all. */
async function numberSome(
  { database, now }: Pick<ChangeSources, 'database' | 'now'>,
  merchantId: number,
  number: LateNumbered<never>['number'],
): Promise<boolean> {
  return await database.transaction(
    async (connection) => {
      const raised = await connection.first(raiseCampaignRevision, {
        merchantId,
        revision: revisionAt(now()),
      });
      if (raised === undefined) throw missingMerchant(merchantId);
      const some = { merchantId, revision: raised.revision, limit: NUMBERED_AT_ONCE };
      return (await connection.run(number, some)) < NUMBERED_AT_ONCE;
    },
    { merchantId, locksMerchant: true },
  );
}
