import { type ChangeSources, numberChanges } from '../campaigns/late-numbered.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { placementChanges } from '../placements/list/list-placements.ts';
import type { FigureUnit } from '../shared/figure.ts';
import { campaignFiguresExplained } from './campaigns.ts';
import type { ExplainedFigure, FigureSelection, FoundFigure } from './explained-figure.ts';
import { revisionOfLines } from './revision-of-lines.ts';
import { salesExplained } from './sales.ts';

/** All figures, by their names. */
export const allFigures: ReadonlyMap<string, ExplainedFigure> = new Map(
  [...salesExplained, ...campaignFiguresExplained].map((each) => [each.figure.name, each]),
);

/** In wire order. */
export interface Explanation {
  figure: string;
  value: number | null;
  unit: FigureUnit;
  /** ISO 4217; null unless the unit is an amount. */
  currency: string | null;
  formula: string;
  time_zone: string;
  rounding: string;
  lines: number;
  address: string;
  revision: string;
}

/**
 * Returns the value of a figure with how it is computed, and where its lines are. The value, the number of
 * lines and the revision are of one state of the data (contract for campaigns, “Explain a number”).
 * @throws {DomainError} if what a selector names does not exist
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function explainFigure(
  sources: ChangeSources,
  merchantId: number,
  { figure, find }: ExplainedFigure,
  selection: FigureSelection,
): Promise<Explanation> {
  const { name, formula, unit, decimals, lines: list } = figure;
  // So that the revision is another one than before these changes.
  if (list === 'placements') await numberChanges(sources, merchantId, placementChanges);
  return await sources.offLoop.snapshot(merchantId, async (reader) => {
    const merchant = await reader.first(findMerchantById, { merchantId });
    if (merchant === undefined) throw missingMerchant(merchantId);
    const { time_zone: timeZone, currency } = merchant;
    const found = await find({ reader, merchantId, timeZone, now: sources.now() }, selection);
    return {
      figure: name,
      value: found.value,
      unit,
      currency: unit === 'amount' ? currency : null,
      formula,
      time_zone: timeZone,
      rounding: decimals === undefined ? 'exact' : `half up to ${decimals} decimals`,
      lines: found.lines,
      address: addressOf(found),
      revision: await revisionOfLines(reader, merchantId, list),
    };
  });
}

function addressOf({ path, query }: FoundFigure): string {
  const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `${path}?${new URLSearchParams(sent)}`;
}
