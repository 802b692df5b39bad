import { auctions, details, images, prices, shipping, stockField } from '../products/fields.ts';

export interface ImportField {
  /** The name of a column of our CSV format. */
  name: string;
  label: string;
}

export interface ImportFieldGroup {
  title: string;
  fields: readonly ImportField[];
}

export const IDENTIFIER = 'identifier';

/** What a column of a merchant's file can be. */
export const importFieldGroups: readonly ImportFieldGroup[] = [
  { title: 'Required', fields: [{ name: IDENTIFIER, label: 'Identifier' }] },
  { title: details.title, fields: details.fields },
  { title: 'Stock', fields: [stockField, { name: 'status', label: 'Status' }] },
  {
    title: 'Variations',
    fields: [
      { name: 'variation_identifier', label: 'Variation identifier' },
      { name: 'variation_size', label: 'Size' },
      { name: 'variation_color', label: 'Color' },
      { name: 'variation_quantity', label: 'Units of the variation' },
    ],
  },
  prices,
  images,
  auctions,
  shipping,
];

const names = new Set(importFieldGroups.flatMap(({ fields }) => fields.map(({ name }) => name)));

export function isImportField(name: string): boolean {
  return names.has(name);
}

export function labelOfImportField(name: string): string {
  const fields = importFieldGroups.flatMap(({ fields }) => fields);
  return fields.find((field) => field.name === name)?.label ?? name;
}

/** Columns that the service reads itself, or ignores: nobody has to say what they are. */
const SPECIAL = new Set([
  'merchant',
  'internal_id',
  'formulas_escaped',
  'ratings_average',
  'ratings_count',
  'sales_count',
  'created_at',
  'updated_at',
  'disabled_at',
  'deleted_at',
  'catalog_only_at',
  'variation_internal_id',
  'variation_created_at',
  'variation_disabled_at',
  'variation_deleted_at',
]);

export function isSpecialColumn(name: string): boolean {
  return SPECIAL.has(name);
}
