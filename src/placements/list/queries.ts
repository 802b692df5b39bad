import { type Statement, statement } from '../../database/statement.ts';
import type { Placement, PlacementState } from '../record/placement.ts';
import { placementColumns } from '../record/queries.ts';

export type PlacementLine = Placement & { product_identifier: string; revision: number };

const lines = `SELECT ${placementColumns}, p.revision, x.identifier AS product_identifier
   FROM placements p
   JOIN products x ON x.merchant_id = p.merchant_id AND x.internal_id = p.product_id
   WHERE p.merchant_id = :merchantId`;

export const listPlacementsChangedAfter = statement<
  { merchantId: number; revision: number; id: string; limit: number },
  PlacementLine
>(
  `${lines} AND (p.revision, p.placement_id) > (:revision, :id)
   ORDER BY p.revision, p.placement_id LIMIT CAST(:limit AS bigint)`,
);

export const findUnnumberedPlacement = statement<{ merchantId: number }, { placement_id: string }>(
  'SELECT placement_id FROM placements WHERE merchant_id = :merchantId AND revision = 0 LIMIT 1',
);

export const numberPlacements = statement<{ merchantId: number; revision: number; limit: number }, never>(
  `UPDATE placements SET revision = :revision
   WHERE merchant_id = :merchantId AND revision = 0 AND placement_id <=
     (SELECT max(few.placement_id) FROM
       (SELECT placement_id FROM placements WHERE merchant_id = :merchantId AND revision = 0
        ORDER BY placement_id LIMIT CAST(:limit AS bigint)) AS few)`,
);

/** In the order of their ids, from the first after `after`. */
export const listPlacementsAfter = statement<
  { merchantId: number; after: string; limit: number },
  PlacementLine
>(`${lines} AND p.placement_id > :after ORDER BY p.placement_id LIMIT CAST(:limit AS bigint)`);

/** What a list of placements selects by. */
export interface PlacementSelection {
  campaign?: string | undefined;
  productId?: number | undefined;
  day?: string | undefined;
  state?: PlacementState | undefined;
}

type SelectionName = keyof PlacementSelection;
type ListStatement = Statement<
  {
    merchantId: number;
    campaign: string;
    productId: number;
    day: string;
    state: string;
    afterDay: string;
    afterId: string;
    /** The last day. */
    to: string;
    limit: number;
  },
  PlacementLine
>;

const conditions: Readonly<Record<SelectionName, string>> = {
  campaign: 'p.campaign_id = :campaign',
  productId: 'p.product_id = :productId',
  day: 'p.day = :day',
  state: 'p.state = :state',
};
const names = Object.keys(conditions) as SelectionName[];

/** On one day, all placements have the same place but for their IDs. */
const afterPlace = {
  anyDay: 'p.day <= :to AND (p.day, p.placement_id) > (:afterDay, :afterId) ORDER BY p.day, p.placement_id',
  oneDay: 'p.placement_id > :afterId ORDER BY p.placement_id',
};

/** By the names of what a list selects by. */
const statements: ReadonlyMap<string, ListStatement> = new Map(
  Array.from({ length: 1 << names.length }, (_, set): [string, ListStatement] => {
    const selected = names.filter((_, index) => (set & (1 << index)) !== 0);
    const where = selected.map((name) => `AND ${conditions[name]}`).join(' ');
    return [
      selected.join(' '),
      statement(
        `${lines} ${where} AND ${selected.includes('day') ? afterPlace.oneDay : afterPlace.anyDay}
         LIMIT CAST(:limit AS bigint)`,
      ),
    ];
  }),
);

/** Returns the statement that lists placements in the order of their days. */
export function listSelected(selection: PlacementSelection): ListStatement {
  const found = statements.get(names.filter((name) => selection[name] !== undefined).join(' '));
  if (found === undefined) throw new Error('there is no such list of placements');
  return found;
}
