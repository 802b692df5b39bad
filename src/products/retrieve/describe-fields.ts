import {
  type Field,
  type Product,
  productFields,
  type Variation,
  variationFields,
} from '../record/product.ts';
import { productProperties, variationProperties } from '../record/product-schema.ts';

/** One field of a record, for programs that build forms or mappings. */
export interface FieldDescription {
  /** The name in records and parameters. */
  field: string;
  /** The name for people. */
  name: string;
  required: boolean;
  readonly: boolean;
  description: string;
}

/** In wire order. */
export const productFieldDescriptions = describe<Product>(
  productFields,
  productProperties,
  ['identifier', 'title'],
  'Unique ID',
);

/** In wire order, after the product that they belong to. */
export const variationFieldDescriptions: FieldDescription[] = [
  {
    field: 'product_identifier',
    name: 'Product Unique ID',
    required: true,
    readonly: false,
    description: 'The unique ID of the product. It cannot change after creation.',
  },
  ...describe<Variation>(
    // Calls enable, disable and delete variations.
    {
      ...variationFields,
      disabled_at: { kind: 'time', owner: 'derived' },
      deleted_at: { kind: 'time', owner: 'derived' },
    },
    variationProperties,
    ['identifier'],
    'Variation Unique ID (SKU)',
  ),
];

function describe<Shape>(
  fields: Readonly<Record<keyof Shape & string, Field>>,
  properties: Record<keyof Shape, { description?: string }>,
  required: readonly (keyof Shape & string)[],
  identifierName: string,
): FieldDescription[] {
  return Object.entries<Field>(fields).map(([field, { owner }]) => {
    const name = field === 'identifier' ? identifierName : nameOf(field);
    return {
      field,
      name,
      required: required.some((each) => each === field),
      // The stock of a product without variations is the merchant's.
      readonly: owner !== 'merchant' && field !== 'available_quantity',
      description: properties[field as keyof Shape].description ?? `${name}.`,
    };
  });
}

/** Returns the name of a field for people: `Customer ID` for `customer_id`. */
export function nameOf(field: string): string {
  const words = field.replaceAll('_', ' ').replace(/\bid\b/, 'ID');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
