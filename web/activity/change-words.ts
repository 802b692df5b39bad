import type { ChangedCampaignValue, ChangedValue } from '../../src/console/activity-api.ts';
import { amountFields } from '../campaigns/amount-fields.ts';
import type { Formats } from '../format/formats.ts';
import { labelOf } from '../products/fields.ts';
import { statusLabels } from '../products/listing.ts';
import { isMoney } from '../products/money-fields.ts';

const campaignAmounts = new Map<string, string>(amountFields.map(({ name, label }) => [name, label]));

/** The labels of fields that no form has. */
const labels: Readonly<Record<string, string>> = {
  identifier: 'Identifier',
  status: 'Status',
  variations: 'Variations',
  quantity: 'Stock',
  size: 'Size',
  color: 'Color',
  moderation: 'Moderation',
  moderation_reasons: 'Reasons',
  created_at: 'Created',
  updated_at: 'Updated',
  disabled_at: 'Disabled',
  deleted_at: 'Deleted',
  catalog_only_at: 'Catalog only',
  sales_count: 'Sales',
  ratings_average: 'Rating',
  ratings_count: 'Ratings',
  name: 'Name',
  type: 'Type',
  hourly_schedule: 'Schedule',
  fulfillment_due_date: 'Ship by',
  carrier: 'Carrier',
  shipped_at: 'Shipped',
  state: 'State',
  amount: 'Refunded amount',
  fees: 'Paid by the customer',
  seller_fees: 'Fees',
  disbursement_amount: 'Payout',
};

/** Times of which a change says all: what is said if it is set, and if it is cleared. */
const states: Readonly<Record<string, [set: string, cleared: string]>> = {
  disabled_at: ['Disabled', 'Enabled'],
  deleted_at: ['Deleted', 'Restored'],
  catalog_only_at: ['Catalog only', 'No longer catalog only'],
};

/** A change in words. Without `label`, `to` says all. */
export interface ReadableChange {
  key: string;
  label?: string;
  from?: string;
  to: string;
}

/** Returns the label of a field of a product, a variation, a campaign or an order. */
export function fieldLabel(field: string): string {
  return campaignAmounts.get(field) ?? labels[field] ?? labelOf(field);
}

/** Returns what changed in a product, without what follows from other changes. */
export function readProductChanges(changes: readonly ChangedValue[], formats: Formats): ReadableChange[] {
  const hasStatus = changes.some(({ field, variation }) => field === 'status' && variation === null);
  const hasQuantity = changes.some(({ field, variation }) => field === 'quantity' && variation !== null);
  const isDerived = ({ field, variation }: ChangedValue): boolean =>
    variation === null &&
    (field === 'updated_at' ||
      (field === 'available_quantity' && hasQuantity) ||
      (field === 'disabled_at' && hasStatus) ||
      (field === 'deleted_at' && hasStatus));
  return changes.filter((change) => !isDerived(change)).map((change) => readChange(change, formats));
}

/** Returns what changed in a campaign. */
export function readCampaignChanges(
  changes: readonly ChangedCampaignValue[],
  formats: Formats,
): ReadableChange[] {
  return changes.map((change) => readChange({ ...change, variation: null }, formats));
}

function readChange({ field, variation, from, to }: ChangedValue, formats: Formats): ReadableChange {
  const key = `${variation ?? ''} ${field}`;
  if (variation !== null && field === 'identifier') return { key, to: `Variation ${variation} added` };
  const state = states[field];
  if (state !== undefined && (from === null || to === null)) {
    const words = to === null ? state[1] : state[0];
    return { key, to: variation === null ? words : `${variation}: ${words.toLowerCase()}` };
  }
  const label = variation === null ? fieldLabel(field) : `${fieldLabel(field)} of ${variation}`;
  return { key, label, from: valueText(field, from, formats), to: valueText(field, to, formats) };
}

/** Longer texts are cut. */
const MAX_LENGTH = 160;

function valueText(field: string, value: string | number | null, formats: Formats): string {
  if (value === null || value === '') return 'none';
  if (field === 'hourly_schedule') return 'changed hours';
  if (typeof value === 'number') {
    if (isMoney(field) || campaignAmounts.has(field)) return formats.money(value);
    if (field === 'ratings_average') return formats.rating(value);
    return Number.isInteger(value) ? formats.whole(value) : String(value);
  }
  if (field === 'status' || field === 'moderation') return statusText(value);
  if (field.endsWith('_at')) return formats.time(value);
  const text = field === 'extra_images' ? value.replaceAll('|', '\n') : value;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** The statuses of campaigns are words already. */
function statusText(value: string): string {
  if (value === 'ok') return 'OK';
  return Object.entries(statusLabels).find(([status]) => status === value)?.[1] ?? value;
}
