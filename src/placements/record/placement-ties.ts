import { lookUp } from '../../database/look-up.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { findAnyPlacement } from '../../merchants/queries.ts';
import { deliver } from './deliver.ts';
import { PlacementBatch } from './placement-batch.ts';
import { findPlacementIds } from './queries.ts';
import type { SpendContext } from './record-spend.ts';

/** A schedule that may have been a placement. The price is in hundredths of the currency's major unit. */
export interface TiedSchedule {
  schedule_id: string;
  /** The placement that it names; null for the one with the schedule's own ID, if there is one. */
  placement_id: string | null;
  product_id: number;
  scheduled_at: number;
  sold: number;
  sale_price: number | null;
}

/** Returns what a schedule adds to the revenue of its placement, in hundredths; null if it did not sell. */
export function revenueOf({ sold, sale_price }: Pick<TiedSchedule, 'sold' | 'sale_price'>): number | null {
  return sold === 1 ? (sale_price ?? 0) : null;
}

/**
 * Delivers the placements that schedules name, and adds what the schedules sold for to the figures of their
 * campaigns, in the transaction of the schedules.
 */
export class PlacementTies {
  readonly #batch: PlacementBatch | undefined;

  private constructor(batch: PlacementBatch | undefined) {
    this.#batch = batch;
  }

  /** Reads the placements that stored and new schedules may have. */
  static async open(
    context: SpendContext,
    schedules: readonly Pick<TiedSchedule, 'schedule_id' | 'placement_id'>[],
  ): Promise<PlacementTies> {
    const { connection, merchantId } = context;
    // Most merchants have none, and an import has many schedules.
    if ((await connection.first(findAnyPlacement, { merchantId })) === undefined)
      return new PlacementTies(undefined);
    const ids = new Set(
      schedules.flatMap(({ schedule_id, placement_id }) => [schedule_id, placement_id ?? schedule_id]),
    );
    const found = await lookUp(connection, findPlacementIds, merchantId, [...ids]);
    const placementIds = found.map(({ placement_id }) => placement_id);
    const batch = await PlacementBatch.open(context, { placementIds });
    const placements = placementIds.flatMap((id) => batch.placement(id) ?? []);
    await batch.readFigures(placements.filter(({ state }) => state === 'released'));
    return new PlacementTies(batch);
  }

  /** Returns why a schedule cannot be the placement that it names; undefined if it can. */
  problem({ schedule_id, placement_id, product_id }: TiedSchedule): Problem | undefined {
    const placement = this.#batch?.placement(placement_id ?? schedule_id);
    if (placement === undefined) {
      if (placement_id === null) return undefined;
      const reason = 'the merchant has no placement with this ID';
      return { field: 'placement_id', value: placement_id, reason };
    }
    const other = placement.schedule_id;
    const { placement_id: id } = placement;
    if (other !== null && other !== schedule_id) {
      const field = placement_id === null ? 'schedule_id' : 'placement_id';
      const reason = `the placement ${id} already belongs to the schedule ${other}`;
      return { field, value: id, reason };
    }
    if (placement.product_id === product_id) return undefined;
    return {
      field: 'product_identifier',
      reason: `the placement ${id} is of another product`,
    };
  }

  /** Ties a schedule that has no `problem`. `before` is the schedule before the change. */
  tie(before: TiedSchedule | undefined, after: TiedSchedule): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    const idOf = ({ schedule_id, placement_id }: TiedSchedule): string => placement_id ?? schedule_id;
    const left =
      before === undefined || idOf(before) === idOf(after) ? undefined : batch.placement(idOf(before));
    if (left?.schedule_id === after.schedule_id) batch.put({ ...left, schedule_id: null, revenue: null });
    const placement = batch.placement(idOf(after));
    if (placement === undefined) return;
    const { schedule_id, scheduled_at } = after;
    const isDelivered = placement.state === 'delivered';
    const revenue = revenueOf(after);
    if (isDelivered && placement.schedule_id === schedule_id && placement.revenue === revenue) return;
    const tied = isDelivered ? placement : deliver(batch, placement, scheduled_at);
    batch.put({ ...tied, schedule_id, revenue });
  }

  async write(): Promise<void> {
    await this.#batch?.write();
  }
}
