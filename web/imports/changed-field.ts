import type { Formats } from '../format/formats.ts';
import { labelOf, variationOf } from '../products/fields.ts';
import { statusLabels } from '../products/listing.ts';
import { readableText } from '../products/money-fields.ts';

/** Returns a value of a field as people read it. */
export function readableValue(name: string, text: string | null, { money, time, whole }: Formats): string {
  if (text === null) return 'none';
  if (name === 'status') return Object.entries(statusLabels).find(([status]) => status === text)?.[1] ?? text;
  if (/(^|\[)(disabled|deleted|catalog_only)_at\]?$/.test(name)) return time(text);
  if (name === 'available_quantity' || variationOf(name) !== undefined) return whole(Number(text));
  return readableText(name, text, money);
}

/** The labels of fields that no form has. */
const labels: Readonly<Record<string, string>> = {
  status: 'Status',
  moderation: 'Moderation',
  variations: 'Order of variations',
  disabled_at: 'Disabled',
  deleted_at: 'Deleted',
  catalog_only_at: 'Catalog only',
};
const variationLabels: Readonly<Record<string, string>> = {
  identifier: 'Variation',
  size: 'Size of',
  color: 'Color of',
  disabled_at: 'Disabled time of',
  deleted_at: 'Deleted time of',
};

/** Returns the label of a field of a product, or of one of its variations as the API names it. */
export function labelOfChange(name: string): string {
  const [, variation, field = ''] = /^variations\[(.*)\]\[(\w+)\]$/s.exec(name) ?? [];
  const label = variationLabels[field];
  return label === undefined ? (labels[name] ?? labelOf(name)) : `${label} ${variation}`;
}
