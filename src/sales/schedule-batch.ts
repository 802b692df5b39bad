import { lookUp } from '../database/look-up.ts';
import type { ItemOutcome } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { monthIn } from '../merchants/time-zone.ts';
import { PlacementTies } from '../placements/record/placement-ties.ts';
import type { SpendContext } from '../placements/record/record-spend.ts';
import { findProductsByIdentifiers, findVariationOwners } from '../products/record/queries.ts';
import { currentRevision, type Effects, raiseRevision } from '../products/record/revision.ts';
import { updateProductFigures } from '../products/record/update-figures.ts';
import {
  addToMonth,
  findSchedulesByIds,
  insertSchedule,
  type SalesMonthRow,
  type ScheduleRow,
  updateSchedule,
} from './queries.ts';
import type { ScheduleDraft } from './schedule-draft.ts';

type Figures = Omit<SalesMonthRow, 'month'>;

type NewRow = Omit<ScheduleRow, 'revision'>;

/** What new figures of products affect; schedules alone affect no list of products. */
const FIGURES: Effects = { rows: false, status: false, category: false, figures: true };
const NONE: Effects = { ...FIGURES, figures: false };

class Sums<Key> {
  readonly byKey = new Map<Key, Figures>();

  add(key: Key, { sold, sale_price, rating }: NewRow, sign: 1 | -1): void {
    const sum = this.byKey.get(key) ?? { schedules: 0, sold: 0, total_sales: 0, rated: 0, rating_sum: 0 };
    this.byKey.set(key, sum);
    sum.schedules += sign;
    if (sold === 0) return;
    sum.sold += sign;
    sum.total_sales += sign * (sale_price ?? 0);
    if (rating === null) return;
    sum.rated += sign;
    sum.rating_sum += sign * rating;
  }

  changes(): [Key, Figures][] {
    return [...this.byKey].filter(([, sum]) => Object.values(sum).some((figure) => figure !== 0));
  }
}

/**
 * Writes one merchant's schedules in a transaction: `open` reads stored ones, `apply` adds schedules in
 * memory, and `write` writes the result and all sums.
 */
export class ScheduleBatch {
  readonly #context: SpendContext;
  readonly #monthOf: (time: number) => string;
  readonly #productIds: ReadonlyMap<string, number>;
  /** The internal ids of the products of variations. */
  readonly #owners: ReadonlyMap<string, number>;
  readonly #rows: Map<string, NewRow>;
  readonly #storedIds: ReadonlySet<string>;
  readonly #changed = new Map<string, NewRow>();
  readonly #ties: PlacementTies;
  readonly #seen = new Set<string>();
  readonly #months = new Sums<string>();
  readonly #products = new Sums<number>();

  private constructor(
    context: SpendContext,
    merchant: MerchantRow,
    stored: {
      productIds: ReadonlyMap<string, number>;
      owners: ReadonlyMap<string, number>;
      rows: Map<string, NewRow>;
      ties: PlacementTies;
    },
  ) {
    this.#context = context;
    this.#monthOf = monthIn(merchant.time_zone);
    this.#productIds = stored.productIds;
    this.#owners = stored.owners;
    this.#rows = stored.rows;
    this.#ties = stored.ties;
    this.#storedIds = new Set(stored.rows.keys());
  }

  static async open(
    context: SpendContext,
    merchant: MerchantRow,
    drafts: readonly ScheduleDraft[],
  ): Promise<ScheduleBatch> {
    const { connection, merchantId } = context;
    const identifiers = [...new Set(drafts.map((draft) => draft.product_identifier))];
    const variations = [...new Set(drafts.flatMap((draft) => draft.variation_identifier ?? []))];
    const ids = [...new Set(drafts.map((draft) => draft.schedule_id))];
    const [products, owners, rows] = await Promise.all([
      lookUp(connection, findProductsByIdentifiers, merchantId, identifiers),
      lookUp(connection, findVariationOwners, merchantId, variations),
      lookUp(connection, findSchedulesByIds, merchantId, ids),
    ]);
    const named = drafts.map(({ schedule_id, placement_id = null }) => ({ schedule_id, placement_id }));
    const ties = await PlacementTies.open(context, [...named, ...rows]);
    return new ScheduleBatch(context, merchant, {
      productIds: new Map(products.map((row) => [row.identifier, row.internal_id])),
      owners: new Map(owners.map((row) => [row.identifier, row.product_id])),
      rows: new Map(rows.map((row) => [row.schedule_id, row])),
      ties,
    });
  }

  /** Adds one schedule, or replaces the one with the same id. */
  apply(draft: ScheduleDraft): ItemOutcome {
    const { schedule_id, product_identifier, scheduled_at, sale_price, rating } = draft;
    const productId = this.#productIds.get(product_identifier);
    if (productId === undefined) {
      const reason = 'no product has this identifier; import the products first';
      return {
        kind: 'rejected',
        problems: [{ field: 'product_identifier', value: product_identifier, reason }],
      };
    }
    const before = this.#rows.get(schedule_id);
    const kept = before?.product_id === productId ? before.variation_identifier : null;
    const { variation_identifier = kept, order_id = before?.order_id ?? null } = draft;
    const { placement_id = before?.placement_id ?? null } = draft;
    if (
      typeof draft.variation_identifier === 'string' &&
      this.#owners.get(draft.variation_identifier) !== productId
    ) {
      const reason = `the product ${product_identifier} has no variation with this identifier`;
      return {
        kind: 'rejected',
        problems: [{ field: 'variation_identifier', value: draft.variation_identifier, reason }],
      };
    }
    const repeated = this.#seen.has(schedule_id);
    this.#seen.add(schedule_id);
    const month = this.#monthOf(scheduled_at);
    const sold = draft.sold ? 1 : 0;
    const row = {
      schedule_id,
      product_id: productId,
      variation_identifier,
      scheduled_at,
      month,
      sold,
      sale_price,
      rating,
      order_id,
      placement_id,
    };
    const problem = this.#ties.problem(row);
    if (problem !== undefined) return { kind: 'rejected', problems: [problem] };
    this.#ties.tie(before, row);
    if (before !== undefined) {
      if (isSame(before, row)) return { kind: 'unchanged', repeated };
      this.#months.add(before.month, before, -1);
      this.#products.add(before.product_id, before, -1);
    }
    this.#months.add(month, row, 1);
    this.#products.add(productId, row, 1);
    this.#rows.set(schedule_id, row);
    this.#changed.set(schedule_id, row);
    return { kind: before === undefined ? 'created' : 'updated', repeated };
  }

  async write(): Promise<void> {
    await this.#ties.write();
    if (this.#changed.size === 0) return;
    const { connection, merchantId: merchant_id } = this.#context;
    const products = new Map(this.#products.changes());
    const effects = products.size > 0 ? FIGURES : NONE;
    const revision = raiseRevision(this.#context, await currentRevision(this.#context), effects);
    const inserts: (ScheduleRow & { merchant_id: number })[] = [];
    const updates: (ScheduleRow & { merchant_id: number })[] = [];
    for (const row of this.#changed.values()) {
      (this.#storedIds.has(row.schedule_id) ? updates : inserts).push({ ...row, revision, merchant_id });
    }
    const months = this.#months.changes().map(([month, sums]) => ({ merchant_id, month, ...sums }));
    await connection.runEach(insertSchedule, inserts);
    connection.send(updateSchedule, updates);
    connection.send(addToMonth, months);
    await updateProductFigures(this.#context, products, revision);
  }
}

function isSame(one: NewRow, other: NewRow): boolean {
  return (
    one.product_id === other.product_id &&
    one.variation_identifier === other.variation_identifier &&
    one.scheduled_at === other.scheduled_at &&
    one.month === other.month &&
    one.sold === other.sold &&
    one.sale_price === other.sale_price &&
    one.rating === other.rating &&
    one.order_id === other.order_id &&
    one.placement_id === other.placement_id
  );
}
