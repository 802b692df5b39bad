import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';

/** The keys in the order of the contract, and then ours, repeated here on purpose. */
const RECORD_KEYS = [
  ...['identifier', 'internal_id', 'status', 'category', 'title', 'description', 'condition', 'brand'],
  ...['material', 'available_quantity', 'variations', 'cost_basis', 'retail_price', 'buy_now_price'],
  ...['minimum_bid_amount', 'reserve_price', 'scheduling_fee_bid', 'max_daily_schedules', 'campaign_name'],
  ...['shipping_price', 'shipping_origin', 'expedited_shipping_price', 'days_to_fulfill', 'days_to_deliver'],
  ...['expedited_days_to_deliver', 'weight', 'fulfillment_partner', 'buy_one_get_one_price'],
  ...['accessory_price', 'accessory_description', 'primary_image', 'extra_images', 'ratings_average'],
  ...['ratings_count', 'sales_count', 'created_at', 'updated_at', 'disabled_at', 'deleted_at'],
  'catalog_only_at',
];
/** The default of the setting LOW_INVENTORY. */
const LOW_INVENTORY = 5;
const STOCK_STATUSES = ['sold_out', 'low_inventory', 'in_stock'];

interface ExpectedVariation {
  identifier: string;
  internal_id: number;
  size: string | null;
  color: string | null;
  quantity: number | null;
  created_at: string;
  disabled_at: string | null;
  deleted_at: string | null;
}

/**
 * The record that the operator's imports of these drafts at these times (ms since 1970) must lead to. Follows
 * the contract, and shares no code with the import.
 */
export function expectedProduct(drafts: readonly ProductDraft[], times: readonly number[]): string {
  const model = new ProductModel();
  for (const [index, draft] of drafts.entries()) model.apply(draft, timeOf(times[index] ?? 0));
  return model.record();
}

class ProductModel {
  #stated: Record<string, unknown> = {};
  #variations: ExpectedVariation[] = [];
  #lastVariationId = 0;
  #quantity = 0;
  /** The product can be sold out. */
  #isTracked = false;
  #moderation: 'banned' | 'problematic' | null = null;
  /** The operator stated it, and it is still valid. */
  #statedStatus: string | null = null;
  #status: string | null = null;
  #createdAt = '';
  #updatedAt = '';

  apply({ identifier, fields, variations }: ProductDraft, now: string): void {
    const isNew = this.#status === null;
    const before = isNew ? '' : this.record();
    const stock = this.#stock();
    const endTimes = this.#endTimes();
    // A field that is missing keeps its value, and null clears it.
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) this.#stated[name] = value;
    this.#stated.identifier = identifier;
    if (variations !== undefined) this.#variations = this.#mergedVariations(variations, now);
    this.#takeQuantity(fields);
    this.#takeStatus(fields.status, {
      isStockSame: stock === this.#stock(),
      areEndTimesSame: endTimes === this.#endTimes(),
    });
    this.#createdAt = fields.created_at ?? (isNew ? now : this.#createdAt);
    this.#updatedAt = fields.updated_at ?? (isNew ? now : this.#updatedAt);
    // A change moves `updated_at`, unless the file states a time.
    if (!isNew && (fields.updated_at ?? null) === null && this.record() !== before) this.#updatedAt = now;
  }

  record(): string {
    const values: Record<string, unknown> = {
      ...this.#stated,
      internal_id: 1,
      status: this.#status,
      available_quantity: this.#quantity,
      variations: this.#variations,
      // Counts that were never set are 0.
      sales_count: this.#stated.sales_count ?? 0,
      ratings_count: this.#stated.ratings_count ?? 0,
      created_at: this.#createdAt,
      updated_at: this.#updatedAt,
    };
    return JSON.stringify(Object.fromEntries(RECORD_KEYS.map((key) => [key, values[key] ?? null])));
  }

  /** Listed variations in the order of the file, then the others, marked as deleted. */
  #mergedVariations(drafts: readonly VariationDraft[], now: string): ExpectedVariation[] {
    const known = this.#variations;
    const listed = drafts.map((draft): ExpectedVariation => {
      const before = known.find(({ identifier }) => identifier === draft.identifier);
      const { size, color, quantity, disabled_at } = { ...before, ...withoutUndefined(draft) };
      return {
        identifier: draft.identifier,
        internal_id: before?.internal_id ?? this.#nextVariationId(),
        size: size ?? null,
        color: color ?? null,
        quantity: quantity ?? null,
        created_at: draft.created_at ?? before?.created_at ?? now,
        disabled_at: disabled_at ?? null,
        // A variation that is listed exists, unless the file says otherwise.
        deleted_at: draft.deleted_at ?? null,
      };
    });
    const names = new Set(drafts.map(({ identifier }) => identifier));
    const missing = known.filter(({ identifier }) => !names.has(identifier));
    return [...listed, ...missing.map((one) => ({ ...one, deleted_at: one.deleted_at ?? now }))];
  }

  #nextVariationId(): number {
    this.#lastVariationId += 1;
    return this.#lastVariationId;
  }

  /** The stock is the variations' sum or, without any, the stated quantity; not tracked without either. */
  #takeQuantity({ available_quantity: stated, status }: ProductDraft['fields']): void {
    if (this.#variations.length > 0) {
      const available = this.#variations.filter((one) => one.disabled_at === null && one.deleted_at === null);
      this.#quantity = available.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
      this.#isTracked = true;
    } else if (stated !== undefined) {
      // Records show 0 for untracked stock, and merchants may send records back unchanged.
      const saysNothing = stated === 0 && status && !STOCK_STATUSES.includes(status);
      if (!saysNothing) this.#isTracked = stated !== null;
      else if (this.#status === null) this.#isTracked = status !== 'enabled';
      this.#quantity = stated ?? 0;
    }
  }

  /** A stated status applies until the stock changes. `disabled` and `deleted` apply even then. */
  #takeStatus(
    stated: string | null | undefined,
    { isStockSame, areEndTimesSame }: { isStockSame: boolean; areEndTimesSame: boolean },
  ): void {
    if (stated === undefined) {
      const stays = isStockSame || this.#statedStatus === 'disabled' || this.#statedStatus === 'deleted';
      // New end times override the stated status.
      if (!stays || !areEndTimesSame) this.#statedStatus = null;
    } else {
      if (stated !== null && stated !== this.#status) this.#moderation = moderationIn(stated);
      this.#statedStatus = stated;
    }
    this.#status = this.#statedStatus ?? this.#derivedStatus();
  }

  #derivedStatus(): string {
    if ((this.#stated.deleted_at ?? null) !== null) return 'deleted';
    if (this.#moderation !== null) return this.#moderation;
    if ((this.#stated.disabled_at ?? null) !== null) return 'disabled';
    if (!this.#isTracked) return 'enabled';
    if (this.#quantity === 0) return 'sold_out';
    return this.#quantity <= LOW_INVENTORY ? 'low_inventory' : 'in_stock';
  }

  #stock(): string {
    return `${this.#isTracked} ${this.#quantity}`;
  }

  #endTimes(): string {
    return `${this.#stated.disabled_at ?? null} ${this.#stated.deleted_at ?? null}`;
  }
}

function moderationIn(status: string): 'banned' | 'problematic' | null {
  return status === 'banned' || status === 'problematic' ? status : null;
}

function withoutUndefined(draft: VariationDraft): Partial<VariationDraft> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

/** RFC 3339 in UTC, with a fraction only if there is one. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
