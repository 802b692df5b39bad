import { changedFields } from '../record/changed-fields.ts';
import { type Product, productFields, type Variation } from '../record/product.ts';

const MAX_PRODUCTS = 100;
const MAX_FIELDS = 20;
/** Longer texts are cut. */
const MAX_TEXT = 120;
const MAX_CHARACTERS = 65_536;

type ShownField = Exclude<keyof Product, 'identifier' | 'variations'>;
/** The fields that the file can set, and the fields that follow from them. */
const shownFields = Object.entries(productFields)
  .filter(([name, { owner }]) => owner === 'merchant' || name === 'status' || name === 'available_quantity')
  .map(([name]) => name)
  .filter((name): name is ShownField => name !== 'variations' && name !== 'identifier');
const variationNames = ['quantity', 'size', 'color', 'disabled_at', 'deleted_at'] as const;

/** A field of a product or variation, with its values as text. */
interface FieldChange {
  /** A field’s name, or `variations[IDENTIFIER][NAME]`. */
  name: string;
  before: string | null;
  after: string | null;
}

export interface ProductPreview {
  identifier: string;
  title: string | null;
  isNew: boolean;
  fields: FieldChange[];
  /** The number of further fields that would change. */
  more: number;
}

export class ChangePreview {
  readonly products: ProductPreview[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.products.length === MAX_PRODUCTS || this.#characters >= MAX_CHARACTERS;
  }

  /** Adds a product unless the preview is full. `before` is undefined for a new one. */
  add(before: Product | undefined, after: Product): void {
    if (this.isFull) return;
    const changes = [...changesOf(before, after)];
    const fields = changes.slice(0, MAX_FIELDS);
    const { identifier, title } = after;
    const isNew = before === undefined;
    const product = { identifier, title: cut(title), isNew, fields, more: changes.length - fields.length };
    this.products.push(product);
    this.#characters += JSON.stringify(product).length;
  }
}

function* changesOf(before: Product | undefined, after: Product): Generator<FieldChange> {
  for (const name of before === undefined ? sentFields(after) : changedFields(before, after)) {
    const field = shownFields.find((shown) => shown === name);
    if (field !== undefined) yield { name, before: textOf(before?.[field]), after: textOf(after[field]) };
  }
  const known = new Map(before?.variations.map((variation) => [variation.identifier, variation]));
  for (const variation of after.variations)
    yield* variationChanges(known.get(variation.identifier), variation);
}

function* variationChanges(before: Variation | undefined, after: Variation): Generator<FieldChange> {
  if (before === after) return;
  for (const name of variationNames) {
    if (before === undefined ? after[name] === null : before[name] === after[name]) continue;
    yield {
      name: `variations[${after.identifier}][${name}]`,
      before: textOf(before?.[name]),
      after: textOf(after[name]),
    };
  }
}

/** Returns the fields of a new product that have a value, except the title, which is always shown. */
function sentFields(product: Product): string[] {
  const { variations } = product;
  return shownFields.filter((name) => {
    if (name === 'title' || name === 'status' || (name === 'available_quantity' && variations.length > 0))
      return false;
    return product[name] !== null;
  });
}

function textOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : cut(String(value));
}

function cut<Text extends string | null>(text: Text): Text | string {
  return text === null || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
