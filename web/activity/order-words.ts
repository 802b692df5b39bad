import type { ChangedOrderValue } from '../../src/console/activity-api.ts';
import type { Formats } from '../format/formats.ts';
import { inWords, packageTexts, statusTexts } from '../orders/order.ts';
import { fieldLabel, type ReadableChange } from './change-words.ts';

type Value = ChangedOrderValue['from'];

/** Times of which a change says all if it sets them. */
const events: Readonly<Record<string, string>> = {
  created_at: 'Ordered',
  paid_at: 'Paid',
  acknowledged_at: 'Acknowledged',
  refunded_at: 'Refunded',
  canceled_at: 'Canceled',
  redacted_at: 'Name and address erased',
};

const labels: Readonly<Record<string, string>> = {
  service_type: 'Service',
  fulfillment_partner: 'Fulfillment partner',
  quantity: 'Units',
  type: 'Type',
};

const amounts = ['amount', 'disbursement_amount'];

/** Returns what changed in an order. A new package or refund is one change, with all of its values. */
export function readOrderChanges(changes: readonly ChangedOrderValue[], formats: Formats): ReadableChange[] {
  const items = Map.groupBy(changes, itemOf);
  return [...items].flatMap(([item, all]) => {
    if (item !== '' && all.every(({ from }) => from === null)) {
      const values = all.map(({ field, to }) => valueText(field, to, formats));
      return [{ key: item, to: `${item}: ${values.join(', ')}` }];
    }
    if (item !== '' && all.every(({ to }) => to === null)) return [{ key: item, to: `${item} removed` }];
    return all.map((change) => readChange(change, item, formats));
  });
}

/** Returns for example `Package 1`; '' for the order itself. */
function itemOf({ package: place, refund }: ChangedOrderValue): string {
  if (place !== null) return `Package ${place}`;
  return refund === null ? '' : `Refund ${refund}`;
}

function readChange({ field, from, to }: ChangedOrderValue, item: string, formats: Formats): ReadableChange {
  const key = `${item} ${field}`;
  const event = events[field];
  if (event !== undefined && from === null) return { key, to: event };
  const label = item === '' ? labelOf(field) : `${item}, ${labelOf(field).toLowerCase()}`;
  return { key, label, from: valueText(field, from, formats), to: valueText(field, to, formats) };
}

function labelOf(field: string): string {
  const [group = '', fee] = field.split('.');
  if (fee !== undefined) return `${fieldLabel(group)}, ${inWords(fee).toLowerCase()}`;
  return events[field] ?? labels[field] ?? fieldLabel(field);
}

function valueText(field: string, value: Value, formats: Formats): string {
  if (value === null) return 'none';
  if (typeof value === 'number') {
    if (field.includes('.') || amounts.includes(field)) return formats.money(value);
    return field === 'quantity' ? formats.count(value, 'unit') : formats.whole(value);
  }
  if (field.endsWith('_at') || field.endsWith('_date')) return formats.time(value);
  if (field === 'status') return textOf(statusTexts, value);
  return field === 'state' ? textOf(packageTexts, value) : value;
}

function textOf(texts: Readonly<Record<string, { label: string }>>, value: string): string {
  return texts[value]?.label ?? inWords(value);
}
