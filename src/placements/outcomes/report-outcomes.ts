import type { WriteContext } from '../../database/write-context.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { deliver } from '../record/deliver.ts';
import { MAX_CLOCK_DIFFERENCE_MS, type Placement } from '../record/placement.ts';
import { PlacementBatch } from '../record/placement-batch.ts';
import type { SpendNeeds } from '../record/record-spend.ts';

/** What became of a reserved placement. `at` is in milliseconds since 1970. */
export interface PlacementOutcome {
  placement_id: string;
  outcome: 'delivered' | 'released';
  at: number;
}

export const NO_PLACEMENT = 'there is no reserved placement with this ID';

/** What a report did, or why it was refused. */
export type OutcomeResult = 'updated' | 'unchanged' | { field: string; reason: string };

/**
 * Applies the outcomes of one merchant's placements, in order. Repeating one changes nothing. A placement
 * that is delivered after its release is charged if every budget still covers its price, and otherwise costs
 * nothing and is `late` (contract for campaigns, “What became of them”).
 */
export async function reportOutcomes(
  context: WriteContext & SpendNeeds,
  { outcomes }: { outcomes: readonly PlacementOutcome[] },
): Promise<OutcomeResult[]> {
  const placementIds = outcomes.map(({ placement_id }) => placement_id);
  const batch = await PlacementBatch.open(context, { placementIds });
  const placements = placementIds.flatMap((id) => batch.placement(id) ?? []);
  await batch.readFigures(placements.filter(({ state }) => state !== 'delivered'));
  const results = outcomes.map(({ placement_id, outcome, at }): OutcomeResult => {
    const before = batch.placement(placement_id);
    if (before?.reserved_at == null) return { field: 'placement_id', reason: NO_PLACEMENT };
    if (before.state === outcome) return 'unchanged';
    if (before.state === 'delivered' && before.delivered_at !== null)
      return {
        field: 'outcome',
        reason: `the placement was delivered at ${formatTime(before.delivered_at)}`,
      };
    if (at < before.reserved_at - MAX_CLOCK_DIFFERENCE_MS) {
      const reserved = formatTime(before.reserved_at);
      return {
        field: 'at',
        reason: `expected a time after the reservation of the placement, at ${reserved}`,
      };
    }
    batch.put(outcome === 'released' ? released(before, at) : deliver(batch, before, at));
    return 'updated';
  });
  await batch.write();
  return results;
}

function released(before: Placement, at: number): Placement {
  return { ...before, state: 'released', released_at: at };
}

/** Releases placements whose outcome was not reported in time. */
export async function releaseExpired(
  context: WriteContext & SpendNeeds,
  { placementIds }: { placementIds: readonly string[] },
): Promise<void> {
  const batch = await PlacementBatch.open(context, { placementIds });
  for (const id of placementIds) {
    const before = batch.placement(id);
    if (before?.state === 'reserved' && (before.expires_at ?? 0) <= context.now)
      batch.put(released(before, context.now));
  }
  await batch.write();
}
