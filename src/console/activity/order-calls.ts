import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { readOrderChange } from '../../orders/history/list-history.ts';
import type { ChangedOrders } from '../activity-api.ts';
import {
  type ActivitySource,
  type DescribedItem,
  isSelective,
  MOST_SEARCHED,
  numbersIn,
  type SourceItem,
} from './activity-source.ts';
import {
  findOrderChangeAfter,
  listOrderCalls,
  listOrderChangesAt,
  listOrdersOfCall,
  type MadeOrderCall,
  type MadeOrderCallRow,
  sumOrderCalls,
} from './order-queries.ts';

/** How many orders of a call are listed. */
const ORDERS_SHOWN = 20;
/** Amounts are recorded by the name of the fee. */
const FEES = ['fees', 'seller_fees'];

/** What calls changed in orders. Nothing that is recorded of them is about customers. */
export const orderCalls: ActivitySource = {
  type: 'order',
  hasFields: true,
  read: async (database, { merchantId, filter, before, limit }) => {
    const { kinds, name, field, from, until } = filter;
    const [at, orderId, revision, part] = before === undefined ? [until, 0, 0, 0] : numbersIn(before);
    const place = { merchantId, at, orderId, revision, part };
    const end = isSelective(filter)
      ? await database.first(findOrderChangeAfter, { ...place, from, skipped: MOST_SEARCHED })
      : undefined;
    const rows = await database.all(listOrderCalls, {
      ...place,
      endAt: end?.at ?? from,
      endOrder: end?.order_id ?? 0,
      endRevision: end?.revision ?? 0,
      endPart: end?.part ?? 0,
      kinds,
      name,
      field: field === undefined ? '' : `%"${field}${FEES.includes(field) ? '.' : '":'}%`,
      limit,
    });
    return {
      items: rows.map(itemOf),
      searchedTo: end && itemOf(end),
      describe: (count) => describeCalls(database, merchantId, rows.slice(0, count)),
    };
  },
};

function itemOf({
  at,
  order_id,
  revision,
  part,
}: Pick<MadeOrderCallRow, 'at' | 'order_id' | 'revision' | 'part'>): SourceItem {
  return { at, place: `${at} ${order_id} ${revision} ${part}` };
}

async function describeCalls(
  database: Reader,
  merchantId: number,
  rows: readonly MadeOrderCallRow[],
): Promise<DescribedItem[]> {
  const times = new Set(rows.map(({ at }) => at));
  const sums = new Map(
    (await lookUp(database, sumOrderCalls, merchantId, [...times])).map((sum) => [nameOf(sum), sum]),
  );
  const hasOne = (row: MadeOrderCallRow): boolean => sums.get(nameOf(row))?.orders === 1;
  const timesOfOne = new Set(rows.filter(hasOne).map(({ at }) => at));
  const changes = Map.groupBy(
    await lookUp(database, listOrderChangesAt, merchantId, [...timesOfOne]),
    nameOf,
  );
  return await Promise.all(
    rows.map(async (row): Promise<DescribedItem> => {
      const { orders = 0, created = 0 } = sums.get(nameOf(row)) ?? {};
      const isOne = hasOne(row);
      const subject: ChangedOrders = {
        about: 'orders',
        changed: orders - created,
        created,
        order_ids: isOne ? [row.order_id] : await idsOf(database, merchantId, row),
        changes: isOne
          ? (changes.get(nameOf(row)) ?? []).flatMap((change) => readOrderChange(change.changes).values)
          : [],
      };
      const { at, actor_kind, actor_name, order_id, revision, part } = row;
      const id = `${revision}-${order_id}-${part}`;
      // The names of imports are known for products only.
      return { id, at, actor_kind, actor_name, import_id: null, subject };
    }),
  );
}

async function idsOf(database: Reader, merchantId: number, call: MadeOrderCall): Promise<number[]> {
  const { at, revision, actor_kind, actor_name, request_id } = call;
  const named = { merchantId, at, revision, actor_kind, actor_name, request_id };
  const rows = await database.all(listOrdersOfCall, { ...named, limit: ORDERS_SHOWN });
  return rows.map(({ order_id: id }) => id);
}

/** Revisions are unique to transactions. */
function nameOf({ revision, actor_kind, actor_name, request_id }: MadeOrderCall): string {
  return JSON.stringify([revision, actor_kind, actor_name, request_id]);
}
